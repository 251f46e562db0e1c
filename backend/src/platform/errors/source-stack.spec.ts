import { decodePositions, toSourceStack } from './source-stack.js';

describe('Stacks of the bundle', () => {
  it('are traced back by the first position of each line', () => {
    // Line 1: a.ts 1, then b.ts 5. Line 2: nothing. Line 3: b.ts 4. Line 4: no source. Line 5: a.ts 40 with a name.
    const positions = decodePositions('AAAA,ICIA;;AADA,CAAE;A;ADoCAA');
    expect([...positions]).toEqual([0, 0, -1, -1, 1, 3, -1, -1, 0, 39]);
  });

  it('keep positions of files that have no map', () => {
    const built = new URL('../../../chunks/missing-1a2b.js', import.meta.url).href;
    const stack = `Error: odd\n    at run (${built}:10:5)\n    at file:///elsewhere/index.js:1:2\n    at node:fs:1:2`;
    expect(toSourceStack(stack)).toBe(stack);
  });
});
