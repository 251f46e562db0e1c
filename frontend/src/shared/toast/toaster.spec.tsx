import { act, screen } from '@testing-library/react';
import { renderPiece } from '../../../test/render';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { toast } from './toast-store';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  act(() => jest.runOnlyPendingTimers());
  jest.useRealTimers();
});

const region = () => screen.getByRole('status');
const after = (ms: number) => act(() => jest.advanceTimersByTime(ms));

describe('a toast', () => {
  it('speaks from a polite region that was there before', async () => {
    await renderPiece(null);
    expect(region()).toBeEmptyDOMElement();
    expect(region()).toHaveAttribute('aria-live', 'polite');
    act(() => toast.success('Saved', 'All is well.'));
    expect(region()).toHaveTextContent('SavedAll is well.');
  });

  it('stays five seconds', async () => {
    await renderPiece(null);
    act(() => toast.success('Saved'));
    after(4999);
    expect(region()).toHaveTextContent('Saved');
    after(1);
    expect(region()).toBeEmptyDOMElement();
  });

  it('gives way to the next one, which has its own five seconds', async () => {
    await renderPiece(null);
    act(() => toast.success('First'));
    after(3000);
    act(() => toast.error('Second'));
    expect(region()).not.toHaveTextContent('First');
    after(3000);
    expect(region()).toHaveTextContent('Second');
  });

  it('waits while the pointer rests on it', async () => {
    const { user } = await renderPiece(null);
    act(() => toast.success('Saved'));
    await user.hover(screen.getByText('Saved'));
    after(20_000);
    expect(region()).toHaveTextContent('Saved');
    await user.unhover(screen.getByText('Saved'));
    after(5000);
    expect(region()).toBeEmptyDOMElement();
  });

  it('offers to take back what was done, once', async () => {
    const undo = jest.fn();
    const { user } = await renderPiece(null);
    act(() => toast.show({ title: 'File moved to trash', undo }));
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(undo).toHaveBeenCalledTimes(1);
    expect(region()).toBeEmptyDOMElement();
  });

  it('can be sent away', async () => {
    const { user } = await renderPiece(null);
    act(() => toast.success('Saved'));
    expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(region()).toBeEmptyDOMElement();
  });

  it('is heard even while a dialog is open', async () => {
    const nothing = () => undefined;
    const dialog = (
      <ConfirmDialog open title="Sure?" confirmLabel="Yes" onConfirm={nothing} onClose={nothing}>
        Really?
      </ConfirmDialog>
    );
    await renderPiece(dialog);
    await act(() => jest.advanceTimersByTimeAsync(500));
    act(() => toast.error('That did not work'));
    expect(region()).toHaveTextContent('That did not work');
  });

  it('can wait for the page that is loaded next, and is shown there once', async () => {
    toast.afterReload({ tone: 'error', title: 'Logout failed' });
    await renderPiece(null);
    act(() => toast.showCarried());
    expect(region()).toHaveTextContent('Logout failed');
    after(5000);
    act(() => toast.showCarried());
    expect(region()).toBeEmptyDOMElement();
  });
});
