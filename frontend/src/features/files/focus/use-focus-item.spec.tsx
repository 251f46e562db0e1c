import { render } from '@testing-library/react';
import { useRef } from 'react';
import { useFocusItem } from './use-focus-item';

let isVisible = true;
let triggerResize: (() => void) | undefined;

class FakeResizeObserver {
  constructor(listener: () => void) {
    triggerResize = listener;
  }
  observe() {}
  disconnect() {
    triggerResize = undefined;
  }
}

function List({ index, focus }: { index: number; focus: (index: number) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useFocusItem(index, focus, box);
  return <div ref={box} />;
}

beforeEach(() => {
  globalThis.ResizeObserver = FakeResizeObserver as unknown as typeof ResizeObserver;
  HTMLElement.prototype.checkVisibility = () => isVisible;
});
afterEach(() => {
  isVisible = true;
  Reflect.deleteProperty(HTMLElement.prototype, 'checkVisibility');
});

describe('useFocusItem', () => {
  it('focuses the item once, when it appears in the list', () => {
    const focus = jest.fn();
    const { rerender } = render(<List index={-1} focus={focus} />);
    rerender(<List index={3} focus={focus} />);
    rerender(<List index={4} focus={focus} />);
    expect(focus.mock.calls).toEqual([[3]]);
  });

  it('focuses the item as soon as its list becomes visible', () => {
    isVisible = false;
    const focus = jest.fn();
    render(<List index={3} focus={focus} />);
    triggerResize?.();
    expect(focus).not.toHaveBeenCalled();
    isVisible = true;
    triggerResize?.();
    expect(focus.mock.calls).toEqual([[3]]);
    expect(triggerResize).toBeUndefined();
  });
});
