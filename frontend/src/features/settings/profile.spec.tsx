import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { refusal, someone, type Answer } from '../../../test/api';
import { openSettings, toastText } from '../../../test/settings';
import { pictureLimit } from './api/use-picture';

beforeEach(() => localStorage.clear());

const free: Record<string, Answer> = {
  'GET /api/check-username/deniz-2': [200, { available: true, message: 'Username is available' }],
};
const put = 'PUT /api/user/profile';

async function open(more: Record<string, Answer> = {}, user = someone()) {
  const view = await openSettings('Profile', user, more);
  const name = view.region.getByLabelText('Name');
  const username = view.region.getByLabelText('Username');
  const save = () => view.user.click(view.region.getByRole('button', { name: 'Save changes' }));
  const type = async (field: HTMLElement, text: string) => {
    await view.user.clear(field);
    if (text) await view.user.type(field, text);
  };
  return { ...view, name, username, save, type };
}

describe('the name', () => {
  it('is saved in two parts, and the page shows it at once', async () => {
    const { server, name, save, type } = await open();
    expect(name).toHaveValue('Deniz Acar');
    await type(name, ' Deniz  Ece Acar ');
    await save();
    await waitFor(() => expect(toastText()).toContain('Profile Updated'));
    expect(server.callsOf(put)[0]?.body).toEqual({ firstName: 'Deniz', lastName: 'Ece Acar' });
    expect(name).toHaveValue('Deniz Ece Acar');
    expect(screen.getByText('Deniz Ece Acar', { selector: 'p' })).toBeInTheDocument();
  });

  it('of one word has a point for its last', async () => {
    const { server, name, save, type } = await open();
    await type(name, 'Deniz');
    await save();
    await waitFor(() => expect(server.callsOf(put)[0]?.body).toEqual({ firstName: 'Deniz', lastName: '.' }));
    await waitFor(() => expect(name).toHaveValue('Deniz'));
  });

  it('is shown without that point', async () => {
    const { name } = await open({}, someone({ lastName: '.' }));
    expect(name).toHaveValue('Deniz');
  });

  it('is required, and neither part may be long', async () => {
    const { server, name, save, type } = await open();
    await type(name, ' ');
    await save();
    expect(name).toHaveAccessibleDescription('Name is required');
    expect(name).toHaveFocus();
    await type(name, `Deniz ${'x'.repeat(51)}`);
    await save();
    expect(name).toHaveAccessibleDescription('First and last name can be up to 50 characters each');
    expect(server.callsOf(put)).toEqual([]);
  });

  it("shows the server's objection, to whichever part, at the field", async () => {
    const errors = { lastName: ['Last name too long'] };
    const { name, save, type } = await open({ [put]: refusal(400, 'VALIDATION_FAILED', 'Please check.', { errors }) });
    await type(name, 'Deniz Acar-Şen');
    await save();
    await waitFor(() => expect(name).toHaveAccessibleDescription('Last name too long'));
    expect(name).toHaveValue('Deniz Acar-Şen');
  });

  it('that could not be saved is kept, and that is said', async () => {
    const { name, save, type } = await open({ [put]: refusal(503, 'BUSY', 'Please try again.') });
    await type(name, 'Ece Acar');
    await save();
    await waitFor(() => expect(toastText()).toContain('Update FailedPlease try again.'));
    expect(name).toHaveValue('Ece Acar');
  });

  it('cannot be saved while nothing was changed', async () => {
    const { region } = await open();
    expect(region.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  });
});

describe('the username', () => {
  it('says how often it may be changed, and holds only what it may', async () => {
    const { username, type } = await open(free);
    expect(username).toHaveAccessibleDescription('You may change it 2 times in 10 days. The first setting is free.');
    await type(username, 'Deniz -2!');
    expect(username).toHaveValue('deniz-2');
  });

  it('is checked, and sent only when it was changed', async () => {
    const { server, username, name, save, type } = await open(free);
    await type(username, 'deniz-2');
    await waitFor(() => expect(username).toHaveAccessibleDescription('Username is available'));
    await save();
    await waitFor(() => expect(toastText()).toContain('Profile Updated'));
    // Without the name, which is asked anew when it is sent: one of before may hold what names may not today.
    expect(server.callsOf(put)[0]?.body).toEqual({ username: 'deniz-2' });
    await type(name, 'Deniz');
    await save();
    await waitFor(() => expect(server.callsOf(put)[1]?.body).toEqual({ firstName: 'Deniz', lastName: '.' }));
  });

  it('that is taken cannot be saved', async () => {
    const taken: Answer = [200, { available: false, message: 'This username is already taken' }];
    const { server, username, save, type } = await open({ 'GET /api/check-username/deniz-2': taken });
    await type(username, 'deniz-2');
    await waitFor(() => expect(username).toHaveAccessibleDescription('This username is already taken'));
    await save();
    expect(toastText()).toContain('Username is not available');
    expect(server.callsOf(put)).toEqual([]);
  });

  it.each([
    ['de', 'Username must be at least 3 characters'],
    ['x'.repeat(31), 'Username cannot exceed 30 characters'],
  ])('has 3 to 30 characters (%s)', async (typed, sentence) => {
    const { server, username, save, type } = await open();
    await type(username, typed);
    await save();
    expect(username).toHaveAccessibleDescription(sentence);
    expect(server.callsOf(put)).toEqual([]);
  });

  it.each([
    ['USERNAME_TAKEN', 'This username is already taken'],
    ['USERNAME_CHANGE_LIMIT', 'You can change your username 2 times in 10 days.'],
  ])('shows at the field that the server refused it (%s)', async (code, sentence) => {
    const { username, save, type } = await open({ ...free, [put]: refusal(409, code, sentence) });
    await type(username, 'deniz-2');
    await save();
    await waitFor(() => expect(username).toHaveAccessibleDescription(sentence));
    expect(username).toHaveFocus();
  });

  describe('as it is typed', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    const after = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

    it('is asked for 500 ms after typing stops, unless it is the own one', async () => {
      const { server, username, type, user } = await open(free);
      const asked = () => server.calls.filter(({ route }) => route.includes('check-username'));
      await type(username, 'deniz-2');
      await after(499);
      expect(asked()).toHaveLength(0);
      await after(1);
      expect(asked()).toHaveLength(1);
      await user.type(username, '{Backspace}{Backspace}');
      expect(username).toHaveValue('deniz');
      await after(2000);
      expect(asked()).toHaveLength(1);
    });
  });
});

describe('what cannot be changed', () => {
  it('is the address and the role', async () => {
    const { region } = await open({}, someone({ role: 'admin', isSuperAdmin: true }));
    expect(region.getByText('deniz@example.org')).toBeInTheDocument();
    expect(region.getByText('Verified')).toBeInTheDocument();
    expect(region.getByText('Administrator')).toBeInTheDocument();
    expect(region.getByText('Super Admin')).toBeInTheDocument();
    expect(region.queryByLabelText('Email')).not.toBeInTheDocument();
  });

  it('but an address can be verified', async () => {
    const sent: Record<string, Answer> = { 'POST /api/user/verification-mail': [200, { message: 'Look there.' }] };
    const { region, user } = await open(sent, someone({ emailVerified: false }));
    expect(region.getByText('User')).toBeInTheDocument();
    expect(region.queryByText('Super Admin')).not.toBeInTheDocument();
    await user.click(region.getByRole('button', { name: 'Send the verification link' }));
    await waitFor(() => expect(toastText()).toContain('Verification email sentLook there.'));
  });
});

describe('the picture', () => {
  beforeEach(() => {
    URL.createObjectURL = () => 'blob:picture';
    URL.revokeObjectURL = jest.fn();
  });

  const file = (type: string, size = 10) => {
    const made = new File(['x'], 'me', { type });
    Object.defineProperty(made, 'size', { value: size });
    return made;
  };

  async function choose(chosen: File) {
    const view = await open();
    fireEvent.change(view.container.querySelector('input[type=file]')!, { target: { files: [chosen] } });
    return view;
  }

  it.each([
    ['of another type', file('image/svg+xml'), 'Please choose a picture: PNG, JPEG, GIF, WebP or AVIF.'],
    [
      'that is too large',
      file('image/png', pictureLimit + 1),
      'The picture is too large. Please choose one of up to 5 MB.',
    ],
  ])('%s is refused at once', async (_what, chosen, sentence) => {
    await choose(chosen);
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('is shown before it is saved, and can be left', async () => {
    const { user } = await choose(file('image/png', pictureLimit));
    expect(await screen.findByRole('dialog', { name: 'Your new picture' })).toBeInTheDocument();
    expect(screen.getByRole('img', { name: 'Your new picture' })).toHaveAttribute('src', 'blob:picture');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(URL.revokeObjectURL).toHaveBeenCalledWith('blob:picture');
  });

  it('that the browser cannot show is not offered', async () => {
    await choose(file('image/avif'));
    fireEvent.error(await screen.findByRole('img', { name: 'Your new picture' }));
    expect(await screen.findByText('This picture can’t be shown. Please choose another one.')).toBeInTheDocument();
  });

  it('can be removed, and the first letter stands in its place', async () => {
    const view = await open({ 'DELETE /api/user/picture': [204] }, someone({ profileImageUrl: '/api/pictures/abc' }));
    await view.user.click(view.region.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(toastText()).toContain('Picture removed'));
    expect(view.region.getByRole('button', { name: 'Upload a picture' })).toBeInTheDocument();
    expect(view.region.queryByRole('button', { name: 'Remove' })).not.toBeInTheDocument();
    expect(view.region.getByText('D')).toBeInTheDocument();
  });
});
