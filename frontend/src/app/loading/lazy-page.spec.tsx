import { screen } from '@testing-library/react';
import { Suspense } from 'react';
import { renderComponent } from '../../../test/render';
import { lazyPage, retryCount } from './lazy-page';

describe('Lazy page that can’t be loaded', () => {
  it('throws, and is imported again on retry instead of only rendered again', async () => {
    const consoleError = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const load = jest.fn(() => Promise.reject<() => null>(new Error('gone')));
    const Page = lazyPage(load, ['common']);
    const renderPage = () =>
      renderComponent(
        <Suspense fallback="waiting">
          <Page />
        </Suspense>,
      );
    await renderPage();
    expect(await screen.findByRole('heading', { name: 'gone' })).toBeInTheDocument();
    const callCount = load.mock.calls.length;
    await renderPage();
    expect(load).toHaveBeenCalledTimes(callCount);
    retryCount.current++;
    load.mockImplementation(() => Promise.resolve(() => <p>here</p>) as never);
    await renderPage();
    expect(await screen.findByText('here')).toBeInTheDocument();
    consoleError.mockRestore();
  });
});
