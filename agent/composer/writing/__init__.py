"""Writing music: form, harmony, melody, bass, drums and the band that plays them."""
