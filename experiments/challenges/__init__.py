"""Challenges: experiments whose published program is broken, for readers to repair. Each is a folder like any other."""
