import { screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { renderPiece } from '../../test/render';
import { lazyPage, reloading } from './lazy-page';

describe('a page whose parts are gone with an update of the server', () => {
  const reload = jest.fn();
  beforeEach(() => {
    sessionStorage.clear();
    reload.mockClear();
    reloading.now = reload;
  });
  const broken = () => lazyPage(() => Promise.reject(new Error('gone')), ['common']);
  const show = (Page: ReturnType<typeof broken>) =>
    renderPiece(
      <Suspense fallback="waiting">
        <Page />
      </Suspense>,
    );

  it('is loaded anew once, and shown as broken when that does not help', async () => {
    await show(broken());
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(screen.getByText('waiting')).toBeInTheDocument();
    const complain = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await show(broken());
    expect(await screen.findByRole('heading', { name: 'gone' })).toBeInTheDocument();
    expect(reload).toHaveBeenCalledTimes(1);
    complain.mockRestore();
  });

  it('can be renewed again after a later one was loaded', async () => {
    await show(broken());
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    await show(lazyPage(() => Promise.resolve(() => <p>here</p>), ['common']));
    expect(await screen.findByText('here')).toBeInTheDocument();
    await show(broken());
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
  });

  it('is not loaded anew by what was only begun early', async () => {
    await expect(broken().preload()).rejects.toThrow('gone');
    expect(reload).not.toHaveBeenCalled();
  });
});
