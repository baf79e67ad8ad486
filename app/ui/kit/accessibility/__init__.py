"""What assistive programs find in painted widgets."""
