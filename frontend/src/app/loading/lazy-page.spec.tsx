import { screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { renderComponent } from '../../../test/render';
import { documentReload, lazyPage, retryCount } from './lazy-page';

describe('Lazy page whose chunk was removed by a deployment', () => {
  const reload = jest.fn();
  beforeEach(() => {
    sessionStorage.clear();
    reload.mockClear();
    documentReload.run = reload;
  });
  const createBrokenPage = () => lazyPage(() => Promise.reject(new Error('gone')), ['common']);
  const show = (Page: ReturnType<typeof createBrokenPage>) =>
    renderComponent(
      <Suspense fallback="waiting">
        <Page />
      </Suspense>,
    );

  it('reloads the page once and shows an error when that does not help', async () => {
    await show(createBrokenPage());
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(screen.getByText('waiting')).toBeInTheDocument();
    const consoleError = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await show(createBrokenPage());
    expect(await screen.findByRole('heading', { name: 'gone' })).toBeInTheDocument();
    expect(reload).toHaveBeenCalledTimes(1);
    consoleError.mockRestore();
  });

  it('shows the error even if another chunk loaded, and may reload again a minute later', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    await show(createBrokenPage());
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    await show(lazyPage(() => Promise.resolve(() => <p>here</p>), ['common']));
    expect(await screen.findByText('here')).toBeInTheDocument();
    const consoleError = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    clock.mockReturnValue(1_060_000);
    await show(createBrokenPage());
    expect(await screen.findByRole('heading', { name: 'gone' })).toBeInTheDocument();
    consoleError.mockRestore();
    clock.mockReturnValue(1_060_001);
    await show(createBrokenPage());
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
    clock.mockRestore();
  });

  it('is imported again on retry, not only rendered again', async () => {
    sessionStorage.setItem('renewedAt', String(Date.now()));
    const consoleError = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const load = jest.fn(() => Promise.reject<() => null>(new Error('gone')));
    const Page = lazyPage(load, ['common']);
    await show(Page);
    expect(await screen.findByRole('heading', { name: 'gone' })).toBeInTheDocument();
    const callCount = load.mock.calls.length;
    await show(Page);
    expect(load).toHaveBeenCalledTimes(callCount);
    retryCount.current++;
    load.mockImplementation(() => Promise.resolve(() => <p>here</p>) as never);
    await show(Page);
    expect(await screen.findByText('here')).toBeInTheDocument();
    consoleError.mockRestore();
  });

  it('does not reload the page when only preloading fails', async () => {
    await expect(createBrokenPage().preload()).rejects.toThrow('gone');
    expect(reload).not.toHaveBeenCalled();
  });
});
