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

describe('a part that is loaded when it is shown', () => {
  it('has something in its place until it is there', async () => {
    const { Part, tries } = createPart();
    await renderComponent(<Part name="days" />);
    expect(screen.getByText('Waiting for days')).toBeInTheDocument();
    await act(async () => tries[0]!.resolve(Chart));
    expect(screen.getByText('Chart of days')).toBeInTheDocument();
  });

  it('says in its own place that it could not be loaded, and is tried again', async () => {
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
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByText('Waiting for days')).toBeInTheDocument();
    await act(async () => tries[1]!.resolve(Chart));
    expect(screen.getByText('Chart of days')).toBeInTheDocument();
  });

  it('offers the whole page anew when trying again did not help', async () => {
    const { Part, lose } = createPart();
    const { user } = await renderComponent(<Part name="days" />);
    await lose(0);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await lose(1);
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeInTheDocument();
  });

  it('says that one is offline, and comes by itself when the connection does', async () => {
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
