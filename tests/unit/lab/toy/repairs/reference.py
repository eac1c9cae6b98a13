async def main(mark, count):
    for number in range(count):
        mark("step", number=number)
