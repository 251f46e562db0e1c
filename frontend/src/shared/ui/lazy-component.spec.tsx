import { act, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { renderComponent } from '../../../test/render';
import { lazyComponent } from './lazy-component';

const Chart = ({ name }: { name: string }) => <p>Chart of {name}</p>;

/** A component whose loading the test resolves by hand, once per attempt. */
function createPart() {
  const tries: PromiseWithResolvers<ComponentType<{ name: string }>>[] = [];
  const load = () => {
    const deferred = Promise.withResolvers<ComponentType<{ name: string }>>();
    tries.push(deferred);
    return deferred.promise;
  };
  const Part = lazyComponent(load, ({ name }) => <p>Waiting for {name}</p>);
  const lose = (index: number) => act(async () => tries[index]!.reject(new TypeError('Failed to fetch')));
  return { Part, tries, lose };
}

beforeEach(() => jest.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => jest.restoreAllMocks());

describe('Lazy component', () => {
  it('shows a placeholder until it is loaded', async () => {
    const { Part, tries } = createPart();
    await renderComponent(<Part name="days" />);
    expect(screen.getByText('Waiting for days')).toBeInTheDocument();
    await act(async () => tries[0]!.resolve(Chart));
    expect(screen.getByText('Chart of days')).toBeInTheDocument();
  });

  it('shows a load error in its place and can be retried', async () => {
    const { Part, tries, lose } = createPart();
    const { user } = await renderComponent(
      <>
        <p>All else</p>
        <Part name="days" />
      </>,
    );
    await lose(0);
    expect(screen.getByRole('alert')).toHaveTextContent('Couldn’t load this part of the page.');
    expect(screen.getByText('All else')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(screen.getByText('Waiting for days')).toBeInTheDocument();
    await act(async () => tries[1]!.resolve(Chart));
    expect(screen.getByText('Chart of days')).toBeInTheDocument();
  });

  it('offers to reload the page when a retry failed', async () => {
    const { Part, lose } = createPart();
    const { user } = await renderComponent(<Part name="days" />);
    await lose(0);
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    await lose(1);
    expect(screen.getByRole('button', { name: 'Reload the Page' })).toBeInTheDocument();
  });

  it('shows that the browser is offline and loads once it is online', async () => {
    const { Part, tries, lose } = createPart();
    const onLineSpy = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await renderComponent(<Part name="days" />);
    await lose(0);
    expect(screen.getByRole('alert')).toHaveTextContent('You’re offline');
    onLineSpy.mockReturnValue(true);
    act(() => void dispatchEvent(new Event('online')));
    await act(async () => tries[1]!.resolve(Chart));
    expect(screen.getByText('Chart of days')).toBeInTheDocument();
  });
});
