"""The beats of a heartbeat beside one blocking call, all lengths in ms."""


def beats(interval: int, window: int, block_at: int, block: int, phase_keeping: bool, offloaded: bool):
    """(beats that ran, beats due, longest delay). The window is closed: a beat at its very end ran.

    Not for a call that starts on a multiple of the interval: there two timers are due together.
    """
    ran, longest, due = 0, 0, interval
    while due <= window:
        runs = due
        if not offloaded and block_at <= due < block_at + block:
            runs = block_at + block
        if runs > window:  # still overdue when the window closes
            longest = max(longest, window - due)
            break
        ran += 1
        longest = max(longest, runs - due)
        due = (runs // interval + 1) * interval if phase_keeping else runs + interval
    return ran, window // interval, longest
