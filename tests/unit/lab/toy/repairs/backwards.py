async def main(mark, count):
    for number in reversed(range(count)):
        mark("step", number=number)
