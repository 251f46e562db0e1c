import { act, screen } from '@testing-library/react';
import { mockApi, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { clearStorage, signedOutResponses } from '../../../test/sign-in';

describe('Username availability check', () => {
  beforeEach(() => {
    clearStorage();
    jest.useFakeTimers();
  });
  afterEach(() => jest.useRealTimers());

  const after = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  const field = () => screen.getByLabelText('Username');

  async function typing(text: string, response: MockResponse) {
    const server = mockApi({ ...signedOutResponses, [`GET /api/check-username/${text}`]: response });
    const view = await renderApp('/auth?mode=register');
    await screen.findByLabelText('Username');
    await view.user.type(field(), text);
    return { ...view, requests: () => server.calls.filter(({ route }) => route.includes('check-username')) };
  }

  it('runs once, 500 ms after typing stops', async () => {
    const { requests } = await typing('deniz', [200, { available: true, message: 'Username is available' }]);
    await after(499);
    expect(requests()).toHaveLength(0);
    expect(field()).toHaveAccessibleDescription('Checking…');
    await after(1);
    await after(0);
    expect(requests()).toHaveLength(1);
    expect(field()).toHaveAccessibleDescription('Username is available');
  });

  it('does not run for fewer than three characters', async () => {
    const { requests } = await typing('de', [200, { available: true, message: '' }]);
    await after(2000);
    expect(requests()).toHaveLength(0);
  });

  it('prevents submitting the form with a taken username', async () => {
    const { user } = await typing('deniz', [200, { available: false, message: 'This username is already taken' }]);
    await after(500);
    await after(0);
    expect(field()).toBeInvalid();
    expect(field()).toHaveAccessibleDescription('This username is already taken');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(field()).toHaveAccessibleDescription('This username is already taken');
  });

  it('treats the username as unavailable when the check fails', async () => {
    await typing('deniz', [500]);
    await after(500);
    await after(0);
    expect(field()).toHaveAccessibleDescription('Error checking username');
    expect(field()).toBeInvalid();
  });
});
