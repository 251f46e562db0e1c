import { act, screen } from '@testing-library/react';
import { renderPiece } from '../../../test/render';
import { toApiError } from '../api/api-error';
import { waiting } from './wait-store';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  act(() => waiting.end());
  jest.useRealTimers();
});

const refuse = (code: string, retryAfter?: number) =>
  act(() => void toApiError(429, JSON.stringify({ code, message: 'Too many tries.', retryAfter })));
const after = (ms: number) => act(() => jest.advanceTimersByTime(ms));

describe('a refusal for too many tries', () => {
  it('counts down until the next one is taken', async () => {
    await renderPiece(null);
    refuse('TOO_MANY_REQUESTS', 3725);
    expect(screen.getByRole('timer')).toHaveTextContent('You can try again in 1:02:05');
    after(65_000);
    expect(screen.getByRole('timer')).toHaveTextContent('1:01:00');
    after(3_659_000);
    expect(screen.getByRole('timer')).toHaveTextContent('00:01');
    after(1000);
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
  });

  it('can be hidden', async () => {
    const { user } = await renderPiece(null);
    refuse('TOO_MANY_REQUESTS', 60);
    await user.click(screen.getByRole('button', { name: 'Hide' }));
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
  });

  it('shows nothing for other refusals, and for waits that are over at once', async () => {
    await renderPiece(null);
    refuse('SERVER_BUSY', 60);
    refuse('TOO_MANY_REQUESTS', 2);
    refuse('TOO_MANY_REQUESTS');
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
  });
});
