import { BLOCK, freeBlock, keepBlock, takeBlock } from './blocks.js';

describe('a block of shared memory', () => {
  it('is free once its last user has let go of it, whichever part of it they hold', () => {
    let free = 0;
    const block = takeBlock(() => free++);
    expect(block).toHaveLength(BLOCK);
    expect(keepBlock(block.subarray(100, 200))).toBe(true);
    freeBlock(block);
    expect(free).toBe(0);
    freeBlock(block.subarray(100, 200));
    expect(free).toBe(1);
  });

  it('is used again, and only then', () => {
    const first = takeBlock();
    const second = takeBlock();
    expect(second.buffer).not.toBe(first.buffer);
    freeBlock(first);
    expect(takeBlock().buffer).toBe(first.buffer);
    freeBlock(first);
    freeBlock(second);
  });

  it('cannot be kept or freed when nobody has taken it', () => {
    expect(keepBlock(Buffer.alloc(10))).toBe(false);
    expect(() => freeBlock(Buffer.alloc(10))).toThrow('no block');
    const block = takeBlock();
    freeBlock(block);
    expect(keepBlock(block)).toBe(false);
    expect(() => freeBlock(block)).toThrow('no block');
  });
});
