import { act, screen } from '@testing-library/react';
import { pretendApi, refusal } from '../../../test/api';
import { renderPiece } from '../../../test/render';
import { api } from '../api/client';
import { ApiError } from '../api/api-error';
import { solveInWorker } from './solve-in-worker';
import { WorkNotice } from './work-notice';

jest.mock('./solve-in-worker', () => ({ solveInWorker: jest.fn() }));
const solve = jest.mocked(solveInWorker);

const challenge = { parameters: { nonce: '00' }, signature: 'ab' };
const route = 'POST /api/forgot-password';
const ask = () => api.POST('/api/forgot-password', { body: { email: 'ada@example.org' } });

/** Refuses until a request brings the work. */
const serve = () =>
  pretendApi({
    [route]: (request) =>
      request.headers.get('X-Work-Proof') === 'solved'
        ? [200, { message: 'Sent' }]
        : refusal(428, 'WORK_REQUIRED', 'Too many from your network.', { challenge }),
  });

describe('work that the server asks for', () => {
  beforeEach(() => solve.mockReset());

  it('is done by itself, told meanwhile, and the same request sent again with it', async () => {
    const { callsOf } = serve();
    let finish: (proof: string) => void = () => undefined;
    solve.mockReturnValue(new Promise((resolve) => (finish = resolve)));
    await renderPiece(<WorkNotice />);
    const answer = ask();
    expect(await screen.findByRole('progressbar')).toBeInTheDocument();
    expect(screen.getByText(/short check/)).toBeInTheDocument();
    expect(solve).toHaveBeenCalledWith(challenge);
    await act(async () => {
      finish('solved');
      expect((await answer).data).toEqual({ message: 'Sent' });
    });
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(callsOf(route).map(({ body }) => body)).toEqual(Array(2).fill({ email: 'ada@example.org' }));
  });

  it('is refused in words where the browser cannot do it, and asked for once', async () => {
    const { callsOf } = serve();
    for (const proof of [null, 'wrong']) {
      solve.mockResolvedValue(proof);
      const error = await ask().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code: 'WORK_REQUIRED', message: 'Too many from your network.' });
    }
    expect(callsOf(route)).toHaveLength(3);
  });
});
