import { render } from '@testing-library/react';
import { useRef } from 'react';
import { useMarked } from './use-marked';

let isVisible = true;
let resized: (() => void) | undefined;

class Watching {
  constructor(listener: () => void) {
    resized = listener;
  }
  observe() {}
  disconnect() {
    resized = undefined;
  }
}

function List({ marked, focus }: { marked: number; focus: (index: number) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useMarked(marked, focus, box);
  return <div ref={box} />;
}

beforeEach(() => {
  globalThis.ResizeObserver = Watching as unknown as typeof ResizeObserver;
  HTMLElement.prototype.checkVisibility = () => isVisible;
});
afterEach(() => {
  isVisible = true;
  Reflect.deleteProperty(HTMLElement.prototype, 'checkVisibility');
});

describe('the item that an address asked for', () => {
  it('gets the focus once, when it comes into the list', () => {
    const focus = jest.fn();
    const { rerender } = render(<List marked={-1} focus={focus} />);
    rerender(<List marked={3} focus={focus} />);
    rerender(<List marked={4} focus={focus} />);
    expect(focus.mock.calls).toEqual([[3]]);
  });

  it('gets it as soon as its list is shown', () => {
    isVisible = false;
    const focus = jest.fn();
    render(<List marked={3} focus={focus} />);
    resized?.();
    expect(focus).not.toHaveBeenCalled();
    isVisible = true;
    resized?.();
    expect(focus.mock.calls).toEqual([[3]]);
    expect(resized).toBeUndefined();
  });
});
