import { fireEvent, screen } from '@testing-library/react';
import { renderComponent } from '../../../../test/render';
import { useLongPress } from './use-long-press';

function LongPressButton({ onLong, onShort }: { onLong: () => void; onShort: () => void }) {
  const { handlers, consumeLongPress } = useLongPress(onLong);
  return (
    <button type="button" {...handlers} onClick={() => consumeLongPress() || onShort()}>
      Press
    </button>
  );
}

const firePointerEvent = (type: string, clientX: number) =>
  fireEvent(
    screen.getByRole('button', { name: 'Press' }),
    new MouseEvent(type, { bubbles: true, button: 0, clientX, clientY: 10 }),
  );

describe('useLongPress', () => {
  const onLong = jest.fn();
  const onShort = jest.fn();
  const button = () => screen.getByRole('button', { name: 'Press' });

  beforeEach(async () => {
    await renderComponent(<LongPressButton onLong={onLong} onShort={onShort} />);
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.clearAllMocks();
  });

  it('fires after half a second and suppresses the click that follows', () => {
    firePointerEvent('pointerdown', 10);
    jest.advanceTimersByTime(499);
    expect(onLong).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(onLong).toHaveBeenCalledTimes(1);
    fireEvent.pointerUp(button());
    fireEvent.click(button());
    expect(onShort).not.toHaveBeenCalled();
    fireEvent.click(button());
    expect(onShort).toHaveBeenCalledTimes(1);
  });

  it('does not fire when the press ends early, is cancelled or moves', () => {
    firePointerEvent('pointerdown', 10);
    fireEvent.pointerUp(button());
    firePointerEvent('pointerdown', 10);
    fireEvent.pointerCancel(button());
    firePointerEvent('pointerdown', 10);
    firePointerEvent('pointermove', 30);
    jest.advanceTimersByTime(2000);
    expect(onLong).not.toHaveBeenCalled();
  });
});
