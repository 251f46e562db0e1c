import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { pretendApi, type Answer } from '../../../test/api';
import { renderPiece } from '../../../test/render';
import { openedFor } from '../account/opened-for';
import { leaving, useSignOut } from '../api/use-sign-out';
import { FormField } from '../ui/fields/form-field';
import { DialogForm, FormDialog } from './form-dialog';
import { keptWords } from './kept-words';
import { unsaved } from './unsaved';
import { useForm } from './use-form';

interface Options {
  saved?: string;
  submit?: () => Promise<void>;
}

function Fields({ saved = '', submit, onDone }: Options & { onDone: () => void }) {
  const form = useForm({
    initial: { name: saved, password: '' },
    keep: { as: 'zone.new', fields: ['name'], overSaved: saved !== '' },
    submit: async () => {
      await submit?.();
      onDone();
    },
  });
  return (
    <DialogForm title="New Zone" form={form} submit="Create">
      <FormField {...form.field('name')} label="Name" />
      <FormField {...form.field('password')} label="Password" />
    </DialogForm>
  );
}

function Sample(options: Options) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      <FormDialog open={open} onClose={() => setOpen(false)}>
        <Fields {...options} onDone={() => setOpen(false)} />
      </FormDialog>
    </>
  );
}

/** A page that was loaded just now, by an account, with its dialog open. */
async function load(options: Options = {}, account = 1) {
  const { user, unmount } = await renderPiece(<Sample {...options} />);
  openedFor.set(account);
  const open = () => user.click(screen.getByRole('button', { name: 'Open' }));
  await open();
  return { user, open, crash: unmount };
}

const name = () => screen.findByRole('textbox', { name: 'Name' });
const notice = () => screen.queryByText(/restored what you wrote/);
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
const kept = () => Object.keys(sessionStorage).filter((key) => key.startsWith('zonary.words.'));

beforeEach(() => sessionStorage.clear());

describe('what was typed in a dialog', () => {
  it('is there again after the page was loaded anew, which is said', async () => {
    const { user, crash } = await load();
    await user.type(await name(), 'Course');
    crash();
    await load();
    expect(await name()).toHaveValue('Course');
    expect(notice()).toBeInTheDocument();
    expect(unsaved.any()).toBe(true);
  });

  it('is never a field that was not named, such as a password', async () => {
    const { user, crash } = await load();
    await user.type(await name(), 'Course');
    await user.type(screen.getByRole('textbox', { name: 'Password' }), 'open sesame');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('sesame');
    crash();
    await load();
    expect(screen.getByRole('textbox', { name: 'Password' })).toHaveValue('');
  });

  it('is gone once it is saved, also when the dialog closes before anything is drawn', async () => {
    const { user, open } = await load();
    await user.type(await name(), 'Course');
    expect(kept()).toEqual(['zonary.words.1.zone.new']);
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await closed();
    await waitFor(() => expect(kept()).toEqual([]));
    await open();
    expect(await name()).toHaveValue('');
    expect(notice()).not.toBeInTheDocument();
  });

  it('stays when saving fails', async () => {
    const { user } = await load({ submit: () => Promise.reject(new Error('No line')) });
    await user.type(await name(), 'Course');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Create' })).toBeEnabled());
    expect(kept()).toHaveLength(1);
  });

  it.each([
    ['Cancel', ['Cancel']],
    ['the question that Escape brings', ['Discard']],
  ])('is gone once it is let go by %s', async (_, [button]) => {
    const { user } = await load();
    await user.type(await name(), 'Course');
    if (button === 'Discard') await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: button }));
    await closed();
    expect(kept()).toEqual([]);
  });

  it('is gone once the page is left although it asked', async () => {
    const { user } = await load();
    await user.type(await name(), 'Course');
    act(() => unsaved.letGo());
    expect(kept()).toEqual([]);
  });

  it('is not kept when everything is as it was saved', async () => {
    const { user } = await load({ saved: 'Course' });
    await user.type(await name(), '!');
    expect(kept()).toHaveLength(1);
    await user.type(await name(), '{Backspace}');
    expect(kept()).toEqual([]);
  });

  it('tells when what it would take the place of is another by now', async () => {
    const { user, crash } = await load({ saved: 'Course' });
    await user.type(await name(), ' 1');
    crash();
    await load({ saved: 'Class' });
    expect(await name()).toHaveValue('Course 1');
    expect(notice()).toHaveTextContent('if you save, yours replaces it');
  });

  it('belongs to its account, and goes when another one takes its place or the session is ended', async () => {
    const { user, crash } = await load();
    await user.type(await name(), 'Course');
    crash();
    const other = await load({}, 2);
    expect(await name()).toHaveValue('');
    await other.user.type(await name(), 'Mine');
    expect(kept()).toHaveLength(2);
    keptWords.onlyOf(2);
    expect(kept()).toEqual(['zonary.words.2.zone.new']);
    keptWords.forgetAll();
    expect(kept()).toEqual([]);
  });

  it('is forgotten with the other tabs', () => {
    openedFor.set(1);
    keptWords.set('zone.new', { words: {} });
    const stop = keptWords.heed();
    dispatchEvent(new StorageEvent('storage', { key: 'zonary.words-forgotten', newValue: '1' }));
    expect(kept()).toEqual([]);
    stop();
  });
});

function Out() {
  const { mutate } = useSignOut();
  return <button onClick={() => mutate()}>Sign Out</button>;
}

describe('signing out', () => {
  const goHome = jest.spyOn(leaving, 'goHome').mockImplementation(() => undefined);
  afterAll(() => goHome.mockRestore());

  it.each([
    ['the server answers', [204] as Answer],
    ['it does not', [503, {}] as Answer],
  ])('forgets what was typed in every tab, whether %s', async (_, answer) => {
    pretendApi({ 'POST /api/logout': answer });
    localStorage.clear();
    const { user } = await renderPiece(<Out />);
    openedFor.set(1);
    keptWords.set('zone.new', { words: { name: 'Course' } });
    goHome.mockClear();
    await user.click(screen.getByRole('button', { name: 'Sign Out' }));
    await waitFor(() => expect(goHome).toHaveBeenCalled());
    expect(kept()).toEqual([]);
    // Which the others hear.
    expect(localStorage.getItem('zonary.words-forgotten')).not.toBeNull();
  });
});

/** Dialogs of which nothing is kept, and why. */
const without: Record<string, string> = {
  'features/files/components/name-dialog.tsx': 'one name',
  'features/files/downloads/rights-dialog.tsx': 'two ticks, no words',
  'features/settings/factors/rename-passkey-dialog.tsx': 'one name',
  'features/settings/components/account/change-email.tsx': 'one address, of an account',
  'features/settings/components/tokens/new-token-dialog.tsx': 'a token',
  'features/members/components/terms-dialog.tsx': 'choices, no words',
  'features/zones/components/entrance-dialog.tsx': 'choices, no words',
  'features/campaigns/composer/dialogs/link-dialog.tsx': 'one address, in a composer that keeps what it holds',
  'features/zones/components/edit-zone-dialog.tsx': 'its form is useZoneTexts',
  'features/links/components/link-dialog.tsx': 'its form is useLinkForm',
};

it('every dialog with a form keeps its words, or has a reason not to', () => {
  const source = join(__dirname, '../..');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.tsx') && !path.endsWith('.spec.tsx') && !path.startsWith('shared/forms/'),
  );
  const texts = new Map(files.map((path) => [path, readFileSync(join(source, path), 'utf8')]));
  const dialogs = files.filter((path) => texts.get(path)!.includes('<DialogForm'));
  const careless = dialogs.filter((path) => !/\bkeep(?::|,)/.test(texts.get(path)!));
  expect(careless.sort()).toEqual(Object.keys(without).sort());
});
