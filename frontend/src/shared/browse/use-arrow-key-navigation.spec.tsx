import { act, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { useArrowKeyNavigation } from './use-arrow-key-navigation';

function List({ names }: { names: readonly string[] }) {
  const containerRef = useRef<HTMLDivElement>(null);
  const { activeIndex, itemProps } = useArrowKeyNavigation({
    count: names.length,
    containerRef,
    itemsRef: { current: null },
  });
  return (
    <>
      <div ref={containerRef}>
        {names.map((name, index) => (
          <button key={name} type="button" {...itemProps(index, index === activeIndex)}>
            {name}
          </button>
        ))}
      </div>
      <button type="button">Outside</button>
    </>
  );
}

const button = (name: string) => screen.getByRole('button', { name });
const focus = (name: string) => act(() => button(name).focus());

describe('useArrowKeyNavigation', () => {
  it('moves the focus to the item in the place of a focused item that has left the list', () => {
    const { rerender } = render(<List names={['a', 'b', 'c']} />);
    focus('b');
    rerender(<List names={['a', 'c']} />);
    expect(button('c')).toHaveFocus();
    rerender(<List names={['a']} />);
    expect(button('a')).toHaveFocus();
    rerender(<List names={[]} />);
    expect(document.body).toHaveFocus();
    rerender(<List names={['d', 'e']} />);
    expect(button('d')).toHaveFocus();
  });

  it('keeps the focus outside the list, and on an item that changes its place', () => {
    const { rerender } = render(<List names={['a', 'b', 'c']} />);
    focus('Outside');
    rerender(<List names={['c']} />);
    expect(button('Outside')).toHaveFocus();
    focus('c');
    rerender(<List names={['b', 'a', 'c']} />);
    expect(button('c')).toHaveFocus();
  });

  it('forgets the lost focus once something else has it', () => {
    const { rerender } = render(<List names={['a', 'b']} />);
    focus('a');
    rerender(<List names={[]} />);
    focus('Outside');
    rerender(<List names={['c']} />);
    act(() => button('Outside').blur());
    rerender(<List names={['c', 'd']} />);
    expect(document.body).toHaveFocus();
  });
});
