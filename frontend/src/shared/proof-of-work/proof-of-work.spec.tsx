import { act, screen } from '@testing-library/react';
import { mockApi, errorResponse } from '../../../test/api';
import { renderComponent } from '../../../test/render';
import { api } from '../api/client';
import { ApiError } from '../api/api-error';
import { solveInWorker } from './solve-in-worker';
import { ProofOfWorkNotice } from './proof-of-work-notice';

jest.mock('./solve-in-worker', () => ({ solveInWorker: jest.fn() }));
const mockSolve = jest.mocked(solveInWorker);

const challenge = { parameters: { nonce: '00' }, signature: 'ab' };
const route = 'POST /api/forgot-password';
const sendRequest = () => api.POST('/api/forgot-password', { body: { email: 'ada@example.org' } });

/** Rejects requests until one carries a solution. */
const mockServer = () =>
  mockApi({
    [route]: (request) =>
      request.headers.get('X-Work-Proof') === 'solved'
        ? [200, { message: 'Sent' }]
        : errorResponse(428, 'WORK_REQUIRED', 'Too many from your network.', { challenge }),
  });

describe('Proof of work', () => {
  beforeEach(() => mockSolve.mockReset());

  it('is computed automatically with a notice before the request is repeated', async () => {
    const { callsTo } = mockServer();
    let finish: (proof: string) => void = () => undefined;
    mockSolve.mockReturnValue(new Promise((resolve) => (finish = resolve)));
    await renderComponent(<ProofOfWorkNotice />);
    const response = sendRequest();
    expect(await screen.findByRole('progressbar')).toBeInTheDocument();
    expect(screen.getByText(/short check/)).toBeInTheDocument();
    expect(mockSolve).toHaveBeenCalledWith(challenge);
    await act(async () => {
      finish('solved');
      expect((await response).data).toEqual({ message: 'Sent' });
    });
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(callsTo(route).map(({ body }) => body)).toEqual(Array(2).fill({ email: 'ada@example.org' }));
  });

  it('fails with the server’s message when the browser can’t solve it or the proof is rejected', async () => {
    const { callsTo } = mockServer();
    for (const proof of [null, 'wrong']) {
      mockSolve.mockResolvedValue(proof);
      const error = await sendRequest().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code: 'WORK_REQUIRED', message: 'Too many from your network.' });
    }
    expect(callsTo(route)).toHaveLength(3);
  });
});
