"""Changing time: bars put in, taken out, copied, laid into another meter, and made anew from others."""
