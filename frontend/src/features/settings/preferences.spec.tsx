import { act, screen, waitFor } from '@testing-library/react';
import { errorResponse, makeUser } from '../../../test/api';
import { openSettings, getToastText } from '../../../test/settings';

beforeEach(() => localStorage.clear());

const UPDATE_PROFILE = 'PUT /api/user/profile';

describe('Language setting', () => {
  it('takes effect at once and is saved to the account', async () => {
    const { server, region, user } = await openSettings('Language and Time');
    await user.selectOptions(region.getByLabelText('Language'), 'Türkçe');
    expect(await screen.findByRole('heading', { level: 1, name: 'Ayarlar' })).toBeInTheDocument();
    await waitFor(() => expect(server.callsTo(UPDATE_PROFILE)[0]?.body).toEqual({ language: 'tr' }));
  });
});

describe('Single-key shortcuts setting', () => {
  it('turns the shortcuts off in this browser', async () => {
    const { region, user } = await openSettings('Language and Time');
    const box = region.getByRole('checkbox', { name: /^Single-key shortcuts/ });
    expect(box).toHaveAccessibleDescription('In this browser only.');
    await user.click(box);
    act(() => box.blur());
    await user.keyboard('/');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await user.click(box);
    act(() => box.blur());
    await user.keyboard('/');
    expect(await screen.findByRole('dialog')).toBeInTheDocument();
  });
});

describe('Time zone setting', () => {
  const field = () => screen.getByRole('combobox', { name: 'Time zone' });

  it('defaults to the browser’s and is searched by city and saved at once', async () => {
    const { server, user } = await openSettings('Language and Time');
    expect(field()).toHaveDisplayValue(/Same as this browser/);
    await user.clear(field());
    await user.type(field(), 'asia tokyo');
    await user.click(await screen.findByRole('option', { name: /Tokyo \(GMT\+9\)/ }));
    await waitFor(() => expect(getToastText()).toContain('Time zone saved'));
    expect(server.callsTo(UPDATE_PROFILE)[0]?.body).toEqual({ timeZone: 'Asia/Tokyo' });
    expect(field()).toHaveDisplayValue('Tokyo (GMT+9)');
  });

  it.each(['İstanbul', 'ISTANBUL', 'istanbul', 'sao paulo', 'São'])(
    'finds a city as people type it: %s',
    async (typed) => {
      const { user } = await openSettings('Language and Time');
      await user.clear(field());
      await user.type(field(), typed);
      const place = typed.toLowerCase().startsWith('s') ? /Sao Paulo/ : /Istanbul/;
      expect(await screen.findByRole('option', { name: place })).toBeInTheDocument();
    },
  );

  it('can follow the browser again', async () => {
    const { server, user } = await openSettings('Language and Time', makeUser({ timeZone: 'Asia/Tokyo' }));
    await user.clear(field());
    await user.type(field(), 'browser');
    await user.click(await screen.findByRole('option', { name: /Same as this browser/ }));
    await waitFor(() => expect(server.callsTo(UPDATE_PROFILE)[0]?.body).toEqual({ timeZone: null }));
  });

  it('reverts when saving fails', async () => {
    const saveFailure = { [UPDATE_PROFILE]: errorResponse(503, 'BUSY', 'Please try again.') };
    const { user } = await openSettings('Language and Time', makeUser({ timeZone: 'Asia/Tokyo' }), saveFailure);
    await user.clear(field());
    await user.type(field(), 'berlin');
    await user.click(await screen.findByRole('option', { name: /Berlin/ }));
    await waitFor(() => expect(getToastText()).toContain('Update FailedPlease try again.'));
    await waitFor(() => expect(field()).toHaveDisplayValue('Tokyo (GMT+9)'));
  });

  it('is used for the dates on the page', async () => {
    const midnight = '2026-01-01T22:00:00.000Z';
    const session = { id: 1, ipAddress: null, userAgent: null, current: true, expiresAt: midnight };
    const responses = {
      'GET /api/user/sessions': [200, [{ ...session, createdAt: midnight, lastSeenAt: midnight }]] as const,
    };
    await openSettings('Where You’re Signed In', makeUser({ timeZone: 'Asia/Tokyo' }), responses);
    expect(await screen.findByText(/signed in Jan 2, 2026/)).toBeInTheDocument();
  });
});

describe('Postal address setting', () => {
  it('can be saved and removed', async () => {
    const { server, region, user } = await openSettings('Emails to Your Members');
    const field = region.getByLabelText('Postal address');
    const save = region.getByRole('button', { name: 'Save Changes' });
    await user.type(field, 'Deniz Acar{Enter}Ankara ');
    await user.click(save);
    await waitFor(() => expect(getToastText()).toContain('Postal address saved'));
    expect(server.callsTo(UPDATE_PROFILE)[0]?.body).toEqual({ postalAddress: 'Deniz Acar\nAnkara' });
    await waitFor(() => expect(save).toBeDisabled());
    await user.clear(field);
    await user.click(save);
    await waitFor(() => expect(server.callsTo(UPDATE_PROFILE)[1]?.body).toEqual({ postalAddress: null }));
  });

  it('has a maximum length', async () => {
    const { server, region, user } = await openSettings('Emails to Your Members');
    await user.click(region.getByLabelText('Postal address'));
    await user.paste('x'.repeat(501));
    await user.click(region.getByRole('button', { name: 'Save Changes' }));
    expect(region.getByLabelText('Postal address')).toHaveAccessibleDescription('The postal address is too long.');
    expect(server.callsTo(UPDATE_PROFILE)).toEqual([]);
  });
});
