import { screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { renderComponent } from '../../../test/render';
import { attempts, lazyPage, reloading } from './lazy-page';

describe('a page whose parts are gone with an update of the server', () => {
  const reload = jest.fn();
  beforeEach(() => {
    sessionStorage.clear();
    reload.mockClear();
    reloading.now = reload;
  });
  const broken = () => lazyPage(() => Promise.reject(new Error('gone')), ['common']);
  const show = (Page: ReturnType<typeof broken>) =>
    renderComponent(
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

  it('is shown as broken also when another part of the page was loaded meanwhile, and may be renewed a minute later', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    await show(broken());
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    await show(lazyPage(() => Promise.resolve(() => <p>here</p>), ['common']));
    expect(await screen.findByText('here')).toBeInTheDocument();
    const complain = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    clock.mockReturnValue(1_060_000);
    await show(broken());
    expect(await screen.findByRole('heading', { name: 'gone' })).toBeInTheDocument();
    complain.mockRestore();
    clock.mockReturnValue(1_060_001);
    await show(broken());
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
    clock.mockRestore();
  });

  it('is fetched again when somebody tries again, not by being drawn anew', async () => {
    sessionStorage.setItem('renewedAt', String(Date.now()));
    const complain = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const load = jest.fn(() => Promise.reject<() => null>(new Error('gone')));
    const Page = lazyPage(load, ['common']);
    await show(Page);
    expect(await screen.findByRole('heading', { name: 'gone' })).toBeInTheDocument();
    const tries = load.mock.calls.length;
    await show(Page);
    expect(load).toHaveBeenCalledTimes(tries);
    attempts.current++;
    load.mockImplementation(() => Promise.resolve(() => <p>here</p>) as never);
    await show(Page);
    expect(await screen.findByText('here')).toBeInTheDocument();
    complain.mockRestore();
  });

  it('is not loaded anew by what was only begun early', async () => {
    await expect(broken().preload()).rejects.toThrow('gone');
    expect(reload).not.toHaveBeenCalled();
  });
});
