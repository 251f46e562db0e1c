import { act, screen } from '@testing-library/react';
import { renderComponent } from '../../../test/render';
import { toApiError } from '../api/api-error';
import { rateLimitStore } from './rate-limit-store';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  act(() => rateLimitStore.clear());
  jest.useRealTimers();
});

const rejectRequest = (code: string, retryAfter?: number) =>
  act(() => void toApiError(429, JSON.stringify({ code, message: 'Too many tries.', retryAfter })));
const advanceTime = (ms: number) => act(() => jest.advanceTimersByTime(ms));

describe('Rate limit countdown', () => {
  it('counts down to the next allowed attempt', async () => {
    await renderComponent(null);
    rejectRequest('TOO_MANY_REQUESTS', 3725);
    expect(screen.getByRole('timer')).toHaveTextContent('You can try again in 1:02:05');
    advanceTime(65_000);
    expect(screen.getByRole('timer')).toHaveTextContent('1:01:00');
    advanceTime(3_659_000);
    expect(screen.getByRole('timer')).toHaveTextContent('00:01');
    advanceTime(1000);
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
  });

  it('can be hidden', async () => {
    const { user } = await renderComponent(null);
    rejectRequest('TOO_MANY_REQUESTS', 60);
    await user.click(screen.getByRole('button', { name: 'Hide' }));
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
  });

  it('is not shown for other errors or for very short waits', async () => {
    await renderComponent(null);
    rejectRequest('SERVER_BUSY', 60);
    rejectRequest('TOO_MANY_REQUESTS', 2);
    rejectRequest('TOO_MANY_REQUESTS');
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
  });
});
