import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { openSettings, getToastText } from '../../../test/settings';
import { MAX_PICTURE_BYTES } from './api/use-profile-picture';
import { NO_LAST_NAME } from '../../shared/format/person';

beforeEach(() => localStorage.clear());

const usernameAvailable: Record<string, MockResponse> = {
  'GET /api/check-username/deniz-2': [200, { available: true, message: 'Username is available' }],
};
const UPDATE_PROFILE = 'PUT /api/user/profile';

async function openProfile(responses: Record<string, MockResponse> = {}, user = makeUser()) {
  const page = await openSettings('Profile', user, responses);
  const name = page.region.getByLabelText('Name');
  const username = page.region.getByLabelText('Username');
  const save = () => page.user.click(page.region.getByRole('button', { name: 'Save Changes' }));
  const type = async (field: HTMLElement, text: string) => {
    await page.user.clear(field);
    if (text) await page.user.type(field, text);
  };
  return { ...page, name, username, save, type };
}

describe('Name in the profile', () => {
  it('is saved as first and last name and shown at once', async () => {
    const { server, name, save, type } = await openProfile();
    expect(name).toHaveValue('Deniz Acar');
    await type(name, ' Deniz  Ece Acar ');
    await save();
    await waitFor(() => expect(getToastText()).toContain('Profile Updated'));
    expect(server.callsTo(UPDATE_PROFILE)[0]?.body).toEqual({ firstName: 'Deniz', lastName: 'Ece Acar' });
    expect(name).toHaveValue('Deniz Ece Acar');
    expect(screen.getByText('Deniz Ece Acar', { selector: 'p' })).toBeInTheDocument();
  });

  it('of a single word is saved with "." as the last name', async () => {
    const { server, name, save, type } = await openProfile();
    await type(name, 'Deniz');
    await save();
    await waitFor(() =>
      expect(server.callsTo(UPDATE_PROFILE)[0]?.body).toEqual({ firstName: 'Deniz', lastName: NO_LAST_NAME }),
    );
    await waitFor(() => expect(name).toHaveValue('Deniz'));
  });

  it('is shown without the "." of a missing last name', async () => {
    const { name } = await openProfile({}, makeUser({ lastName: NO_LAST_NAME }));
    expect(name).toHaveValue('Deniz');
  });

  it('is required and limited to 50 characters for each part', async () => {
    const { server, name, save, type } = await openProfile();
    await type(name, ' ');
    await save();
    expect(name).toHaveAccessibleDescription('Name is required');
    expect(name).toHaveFocus();
    await type(name, `Deniz ${'x'.repeat(51)}`);
    await save();
    expect(name).toHaveAccessibleDescription('First and last name can be up to 50 characters each');
    expect(server.callsTo(UPDATE_PROFILE)).toEqual([]);
  });

  it('shows the server’s objection to either part at the field', async () => {
    const errors = { lastName: ['Last name too long'] };
    const { name, save, type } = await openProfile({
      [UPDATE_PROFILE]: errorResponse(400, 'VALIDATION_FAILED', 'Please check.', { errors }),
    });
    await type(name, 'Deniz Acar-Şen');
    await save();
    await waitFor(() => expect(name).toHaveAccessibleDescription('Last name too long'));
    expect(name).toHaveValue('Deniz Acar-Şen');
  });

  it('keeps the entered value and shows an error when saving fails', async () => {
    const { name, save, type } = await openProfile({
      [UPDATE_PROFILE]: errorResponse(503, 'BUSY', 'Please try again.'),
    });
    await type(name, 'Ece Acar');
    await save();
    await waitFor(() => expect(getToastText()).toContain('Update FailedPlease try again.'));
    expect(name).toHaveValue('Ece Acar');
  });

  it('can’t be saved while unchanged', async () => {
    const { region } = await openProfile();
    expect(region.getByRole('button', { name: 'Save Changes' })).toBeDisabled();
  });
});

describe('Username in the profile', () => {
  it('shows how often it can be changed and accepts only allowed characters', async () => {
    const { username, type } = await openProfile(usernameAvailable);
    expect(username).toHaveAccessibleDescription(
      'You can change it twice in 10 days. Choosing it for the first time doesn’t count.',
    );
    await type(username, 'Deniz -2!');
    expect(username).toHaveValue('deniz-2');
  });

  it('is checked for availability and sent only when changed', async () => {
    const { server, username, name, save, type } = await openProfile(usernameAvailable);
    await type(username, 'deniz-2');
    await waitFor(() => expect(username).toHaveAccessibleDescription('Username is available'));
    await save();
    await waitFor(() => expect(getToastText()).toContain('Profile Updated'));
    // Without the name, which would be validated again: an older name may not meet today's rules.
    expect(server.callsTo(UPDATE_PROFILE)[0]?.body).toEqual({ username: 'deniz-2' });
    await type(name, 'Deniz');
    await save();
    await waitFor(() =>
      expect(server.callsTo(UPDATE_PROFILE)[1]?.body).toEqual({ firstName: 'Deniz', lastName: NO_LAST_NAME }),
    );
  });

  it('can’t be saved when taken', async () => {
    const usernameTaken: MockResponse = [200, { available: false, message: 'This username is already taken' }];
    const { server, username, save, type } = await openProfile({ 'GET /api/check-username/deniz-2': usernameTaken });
    await type(username, 'deniz-2');
    await waitFor(() => expect(username).toHaveAccessibleDescription('This username is already taken'));
    await save();
    expect(getToastText()).toContain('Username is not available');
    expect(server.callsTo(UPDATE_PROFILE)).toEqual([]);
  });

  it.each([
    ['de', 'Username must be at least 3 characters'],
    ['x'.repeat(31), 'Username cannot exceed 30 characters'],
  ])('must have 3 to 30 characters (%s)', async (typed, message) => {
    const { server, username, save, type } = await openProfile();
    await type(username, typed);
    await save();
    expect(username).toHaveAccessibleDescription(message);
    expect(server.callsTo(UPDATE_PROFILE)).toEqual([]);
  });

  it.each([
    ['USERNAME_TAKEN', 'This username is already taken'],
    ['USERNAME_CHANGE_LIMIT', 'You can change your username twice in 10 days.'],
  ])('shows the server’s rejection at the field (%s)', async (code, message) => {
    const { username, save, type } = await openProfile({
      ...usernameAvailable,
      [UPDATE_PROFILE]: errorResponse(409, code, message),
    });
    await type(username, 'deniz-2');
    await save();
    await waitFor(() => expect(username).toHaveAccessibleDescription(message));
    expect(username).toHaveFocus();
  });

  describe('while typing', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    const advanceTime = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

    it('is checked 500 ms after typing stops unless it is the user’s own', async () => {
      const { server, username, type, user } = await openProfile(usernameAvailable);
      const getUsernameChecks = () => server.calls.filter(({ route }) => route.includes('check-username'));
      await type(username, 'deniz-2');
      await advanceTime(499);
      expect(getUsernameChecks()).toHaveLength(0);
      await advanceTime(1);
      expect(getUsernameChecks()).toHaveLength(1);
      await user.type(username, '{Backspace}{Backspace}');
      expect(username).toHaveValue('deniz');
      await advanceTime(2000);
      expect(getUsernameChecks()).toHaveLength(1);
    });
  });
});

describe('Read-only account details', () => {
  it('are the email address and the role', async () => {
    const { region } = await openProfile({}, makeUser({ role: 'admin', isSuperAdmin: true }));
    expect(region.getByText('deniz@example.org')).toBeInTheDocument();
    expect(region.getByText('Verified')).toBeInTheDocument();
    expect(region.getByText('Administrator')).toBeInTheDocument();
    expect(region.getByText('Super Admin')).toBeInTheDocument();
    expect(region.queryByLabelText('Email')).not.toBeInTheDocument();
  });

  it('offer to verify an unverified address', async () => {
    const verificationSent: Record<string, MockResponse> = {
      'POST /api/user/verification-mail': [200, { message: 'Look there.' }],
    };
    const { region, user } = await openProfile(verificationSent, makeUser({ emailVerified: false }));
    expect(region.getByText('User')).toBeInTheDocument();
    expect(region.queryByText('Super Admin')).not.toBeInTheDocument();
    await user.click(region.getByRole('button', { name: 'Send the Verification Link' }));
    await waitFor(() => expect(getToastText()).toContain('Verification email sentLook there.'));
  });
});

describe('Profile picture', () => {
  beforeEach(() => {
    URL.createObjectURL = () => 'blob:picture';
    URL.revokeObjectURL = jest.fn();
  });

  const makePictureFile = (type: string, size = 10) => {
    const pictureFile = new File(['x'], 'me', { type });
    Object.defineProperty(pictureFile, 'size', { value: size });
    return pictureFile;
  };

  async function choosePicture(pictureFile: File) {
    const page = await openProfile();
    fireEvent.change(page.container.querySelector('input[type=file]')!, { target: { files: [pictureFile] } });
    return page;
  }

  it.each([
    ['of another type', makePictureFile('image/svg+xml'), 'Please choose a picture: PNG, JPEG, GIF, WebP or AVIF.'],
    [
      'that is too large',
      makePictureFile('image/png', MAX_PICTURE_BYTES + 1),
      'The picture is too large. Please choose one of up to 5 MB.',
    ],
  ])('%s is rejected at once', async (_what, chosen, message) => {
    await choosePicture(chosen);
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('is previewed before saving and can be cancelled', async () => {
    const { user } = await choosePicture(makePictureFile('image/png', MAX_PICTURE_BYTES));
    expect(await screen.findByRole('dialog', { name: 'Your New Picture' })).toBeInTheDocument();
    expect(screen.getByRole('img', { name: 'Your New Picture' })).toHaveAttribute('src', 'blob:picture');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(URL.revokeObjectURL).toHaveBeenCalledWith('blob:picture');
  });

  it('is not offered for saving when the browser can’t display it', async () => {
    await choosePicture(makePictureFile('image/avif'));
    fireEvent.error(await screen.findByRole('img', { name: 'Your New Picture' }));
    expect(await screen.findByText('This picture can’t be shown. Please choose another one.')).toBeInTheDocument();
  });

  it('can be removed and is replaced by the initial', async () => {
    const view = await openProfile(
      { 'DELETE /api/user/picture': [204] },
      makeUser({ profileImageUrl: '/api/pictures/abc' }),
    );
    await view.user.click(view.region.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(getToastText()).toContain('Picture removed'));
    expect(view.region.getByRole('button', { name: 'Upload a Picture' })).toBeInTheDocument();
    expect(view.region.queryByRole('button', { name: 'Remove' })).not.toBeInTheDocument();
    expect(view.region.getByText('D')).toBeInTheDocument();
  });
});
