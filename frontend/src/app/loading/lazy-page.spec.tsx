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
  const renderPage = (Page: ReturnType<typeof createBrokenPage>) =>
    renderComponent(
      <Suspense fallback="waiting">
        <Page />
      </Suspense>,
    );

  it('reloads the page once and shows an error when that does not help', async () => {
    await renderPage(createBrokenPage());
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(screen.getByText('waiting')).toBeInTheDocument();
    const consoleError = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await renderPage(createBrokenPage());
    expect(await screen.findByRole('heading', { name: 'gone' })).toBeInTheDocument();
    expect(reload).toHaveBeenCalledTimes(1);
    consoleError.mockRestore();
  });

  it('shows the error even if another chunk loaded, and may reload again a minute later', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    await renderPage(createBrokenPage());
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    await renderPage(lazyPage(() => Promise.resolve(() => <p>here</p>), ['common']));
    expect(await screen.findByText('here')).toBeInTheDocument();
    const consoleError = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    clock.mockReturnValue(1_060_000);
    await renderPage(createBrokenPage());
    expect(await screen.findByRole('heading', { name: 'gone' })).toBeInTheDocument();
    consoleError.mockRestore();
    clock.mockReturnValue(1_060_001);
    await renderPage(createBrokenPage());
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
    clock.mockRestore();
  });

  it('imports the page again on retry instead of only rendering it again', async () => {
    sessionStorage.setItem('renewedAt', String(Date.now()));
    const consoleError = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const load = jest.fn(() => Promise.reject<() => null>(new Error('gone')));
    const Page = lazyPage(load, ['common']);
    await renderPage(Page);
    expect(await screen.findByRole('heading', { name: 'gone' })).toBeInTheDocument();
    const callCount = load.mock.calls.length;
    await renderPage(Page);
    expect(load).toHaveBeenCalledTimes(callCount);
    retryCount.current++;
    load.mockImplementation(() => Promise.resolve(() => <p>here</p>) as never);
    await renderPage(Page);
    expect(await screen.findByText('here')).toBeInTheDocument();
    consoleError.mockRestore();
  });

  it('does not reload the page when only preloading fails', async () => {
    await expect(createBrokenPage().preload()).rejects.toThrow('gone');
    expect(reload).not.toHaveBeenCalled();
  });
});
