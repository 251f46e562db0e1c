import { act, screen } from '@testing-library/react';
import { renderComponent } from '../../../test/render';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { toast } from './toast-store';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  act(() => jest.runOnlyPendingTimers());
  jest.useRealTimers();
});

const getRegion = () => screen.getByRole('status');
const advanceTime = (ms: number) => act(() => jest.advanceTimersByTime(ms));

describe('Toast', () => {
  it('is announced by an existing polite live region', async () => {
    await renderComponent(null);
    expect(getRegion()).toBeEmptyDOMElement();
    expect(getRegion()).toHaveAttribute('aria-live', 'polite');
    act(() => toast.success('Saved', 'All is well.'));
    expect(getRegion()).toHaveTextContent('SavedAll is well.');
  });

  it('disappears after five seconds', async () => {
    await renderComponent(null);
    act(() => toast.success('Saved'));
    advanceTime(4999);
    expect(getRegion()).toHaveTextContent('Saved');
    advanceTime(1);
    expect(getRegion()).toBeEmptyDOMElement();
  });

  it('is replaced by the next one, which has its own five seconds', async () => {
    await renderComponent(null);
    act(() => toast.success('First'));
    advanceTime(3000);
    act(() => toast.error('Second'));
    expect(getRegion()).not.toHaveTextContent('First');
    advanceTime(3000);
    expect(getRegion()).toHaveTextContent('Second');
  });

  it('stays while the pointer is over it', async () => {
    const { user } = await renderComponent(null);
    act(() => toast.success('Saved'));
    await user.hover(screen.getByText('Saved'));
    advanceTime(20_000);
    expect(getRegion()).toHaveTextContent('Saved');
    await user.unhover(screen.getByText('Saved'));
    advanceTime(5000);
    expect(getRegion()).toBeEmptyDOMElement();
  });

  it('offers Undo once', async () => {
    const undo = jest.fn();
    const { user } = await renderComponent(null);
    act(() => toast.show({ title: 'File moved to trash', undo }));
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(undo).toHaveBeenCalledTimes(1);
    expect(getRegion()).toBeEmptyDOMElement();
  });

  it('can be dismissed', async () => {
    const { user } = await renderComponent(null);
    act(() => toast.success('Saved'));
    expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(getRegion()).toBeEmptyDOMElement();
  });

  it('is announced even while a dialog is open', async () => {
    const nothing = () => undefined;
    const dialog = (
      <ConfirmDialog open title="Sure?" confirmLabel="Yes" onConfirm={nothing} onClose={nothing}>
        Really?
      </ConfirmDialog>
    );
    await renderComponent(dialog);
    await act(() => jest.advanceTimersByTimeAsync(500));
    act(() => toast.error('That did not work'));
    expect(getRegion()).toHaveTextContent('That did not work');
  });

  it('can be deferred to the next page load and is shown there once', async () => {
    toast.showAfterReload({ tone: 'error', title: 'Logout failed' });
    await renderComponent(null);
    act(() => toast.showStored());
    expect(getRegion()).toHaveTextContent('Logout failed');
    advanceTime(5000);
    act(() => toast.showStored());
    expect(getRegion()).toBeEmptyDOMElement();
  });
});
