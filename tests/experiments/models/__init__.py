"""Small independent simulations of what each experiment must show: plain loops and heaps over whole numbers.

Written from the mechanisms' descriptions, not from the programs; they import nothing of the project. Where two things
fall on the same instant a model may ask in which order (`order` +1 or -1): a test compares only where both agree.
"""
