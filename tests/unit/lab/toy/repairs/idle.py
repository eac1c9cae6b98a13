async def main(mark, count):
    pass
