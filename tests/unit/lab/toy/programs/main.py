import asyncio


async def main(mark, count):
    for number in range(count):
        await asyncio.sleep(0.001)
        mark("step", number=number)
