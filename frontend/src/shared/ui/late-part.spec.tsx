import { act, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { renderPiece } from '../../../test/render';
import { latePart } from './late-part';

const Chart = ({ name }: { name: string }) => <p>Chart of {name}</p>;

/** A part whose loading the test ends by hand, each try by itself. */
function setUp() {
  const tries: PromiseWithResolvers<ComponentType<{ name: string }>>[] = [];
  const load = () => {
    const one = Promise.withResolvers<ComponentType<{ name: string }>>();
    tries.push(one);
    return one.promise;
  };
  const Part = latePart(load, ({ name }) => <p>Waiting for {name}</p>);
  const lose = (at: number) => act(async () => tries[at]!.reject(new TypeError('Failed to fetch')));
  return { Part, tries, lose };
}

beforeEach(() => jest.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => jest.restoreAllMocks());

describe('a part that is loaded when it is shown', () => {
  it('has something in its place until it is there', async () => {
    const { Part, tries } = setUp();
    await renderPiece(<Part name="days" />);
    expect(screen.getByText('Waiting for days')).toBeInTheDocument();
    await act(async () => tries[0]!.resolve(Chart));
    expect(screen.getByText('Chart of days')).toBeInTheDocument();
  });

  it('says in its own place that it could not be loaded, and is tried again', async () => {
    const { Part, tries, lose } = setUp();
    const { user } = await renderPiece(
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
    const { Part, lose } = setUp();
    const { user } = await renderPiece(<Part name="days" />);
    await lose(0);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await lose(1);
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeInTheDocument();
  });

  it('says that one is offline, and comes by itself when the connection does', async () => {
    const { Part, tries, lose } = setUp();
    const line = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await renderPiece(<Part name="days" />);
    await lose(0);
    expect(screen.getByRole('alert')).toHaveTextContent('You’re offline');
    line.mockReturnValue(true);
    act(() => void dispatchEvent(new Event('online')));
    await act(async () => tries[1]!.resolve(Chart));
    expect(screen.getByText('Chart of days')).toBeInTheDocument();
  });
});
