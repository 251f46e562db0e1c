import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { mockApi, type MockResponse } from '../../../test/api';
import { renderComponent } from '../../../test/render';
import { accountHeader } from '../account/account-header';
import { signOutRedirect, useSignOut } from '../api/use-sign-out';
import { FormField } from '../ui/fields/form-field';
import { DialogForm, FormDialog } from './form-dialog';
import { formDraftStorage } from './form-draft-storage';
import { unsavedChanges } from './unsaved-changes';
import { useForm } from './use-form';

interface Options {
  savedName?: string;
  submit?: () => Promise<void>;
}

function Fields({ savedName = '', submit, onDone }: Options & { onDone: () => void }) {
  const form = useForm({
    initial: { name: savedName, password: '' },
    draft: { key: 'zone.new', fields: ['name'], replacesSaved: savedName !== '' },
    submit: async () => {
      await submit?.();
      onDone();
    },
  });
  return (
    <DialogForm title="New Zone" form={form} submitLabel="Create">
      <FormField {...form.field('name')} label="Name" />
      <FormField {...form.field('password')} label="Password" />
    </DialogForm>
  );
}

function DraftDialog(options: Options) {
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

/** A freshly loaded page of an account, with its dialog open. */
async function openDialog(options: Options = {}, accountId = 1) {
  const { user, unmount } = await renderComponent(<DraftDialog {...options} />);
  accountHeader.set(accountId);
  const open = () => user.click(screen.getByRole('button', { name: 'Open' }));
  await open();
  return { user, open, crash: unmount };
}

const findNameField = () => screen.findByRole('textbox', { name: 'Name' });
const queryNotice = () => screen.queryByText(/restored what you wrote/);
const waitUntilClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
const getDraftKeys = () => Object.keys(sessionStorage).filter((key) => key.startsWith('zonary.words.'));

beforeEach(() => sessionStorage.clear());

describe('Form draft of a dialog', () => {
  it('is restored with a notice after a reload', async () => {
    const { user, crash } = await openDialog();
    await user.type(await findNameField(), 'Course');
    crash();
    await openDialog();
    expect(await findNameField()).toHaveValue('Course');
    expect(queryNotice()).toBeInTheDocument();
    expect(unsavedChanges.hasAny()).toBe(true);
  });

  it('never includes fields that were not named, such as passwords', async () => {
    const { user, crash } = await openDialog();
    await user.type(await findNameField(), 'Course');
    await user.type(screen.getByRole('textbox', { name: 'Password' }), 'open sesame');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('sesame');
    crash();
    await openDialog();
    expect(screen.getByRole('textbox', { name: 'Password' })).toHaveValue('');
  });

  it('is removed after saving, even when the dialog closes immediately', async () => {
    const { user, open } = await openDialog();
    await user.type(await findNameField(), 'Course');
    expect(getDraftKeys()).toEqual(['zonary.words.1.zone.new']);
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitUntilClosed();
    await waitFor(() => expect(getDraftKeys()).toEqual([]));
    await open();
    expect(await findNameField()).toHaveValue('');
    expect(queryNotice()).not.toBeInTheDocument();
  });

  it('is kept when saving fails', async () => {
    const { user } = await openDialog({ submit: () => Promise.reject(new Error('No line')) });
    await user.type(await findNameField(), 'Course');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Create' })).toBeEnabled());
    expect(getDraftKeys()).toHaveLength(1);
  });

  it.each([
    ['Cancel', ['Cancel']],
    ['the dialog that Escape opens', ['Discard']],
  ])('is removed when it is discarded by %s', async (_, [button]) => {
    const { user } = await openDialog();
    await user.type(await findNameField(), 'Course');
    if (button === 'Discard') await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: button }));
    await waitUntilClosed();
    expect(getDraftKeys()).toEqual([]);
  });

  it('is removed when the user leaves the page despite the warning', async () => {
    const { user } = await openDialog();
    await user.type(await findNameField(), 'Course');
    act(() => unsavedChanges.discardAll());
    expect(getDraftKeys()).toEqual([]);
  });

  it('is not kept when all values equal the saved ones', async () => {
    const { user } = await openDialog({ savedName: 'Course' });
    await user.type(await findNameField(), '!');
    expect(getDraftKeys()).toHaveLength(1);
    await user.type(await findNameField(), '{Backspace}');
    expect(getDraftKeys()).toEqual([]);
  });

  it('warns when the saved value has changed in the meantime', async () => {
    const { user, crash } = await openDialog({ savedName: 'Course' });
    await user.type(await findNameField(), ' 1');
    crash();
    await openDialog({ savedName: 'Class' });
    expect(await findNameField()).toHaveValue('Course 1');
    expect(queryNotice()).toHaveTextContent('if you save, yours replaces it');
  });

  it('belongs to its account and is removed on account change or sign-out', async () => {
    const { user, crash } = await openDialog();
    await user.type(await findNameField(), 'Course');
    crash();
    const other = await openDialog({}, 2);
    expect(await findNameField()).toHaveValue('');
    await other.user.type(await findNameField(), 'Mine');
    expect(getDraftKeys()).toHaveLength(2);
    formDraftStorage.clearOtherAccounts(2);
    expect(getDraftKeys()).toEqual(['zonary.words.2.zone.new']);
    formDraftStorage.clearAll();
    expect(getDraftKeys()).toEqual([]);
  });

  it('is removed when another tab clears the drafts', () => {
    accountHeader.set(1);
    formDraftStorage.set('zone.new', { words: {} });
    const stop = formDraftStorage.syncAcrossTabs();
    dispatchEvent(new StorageEvent('storage', { key: 'zonary.words-forgotten', newValue: '1' }));
    expect(getDraftKeys()).toEqual([]);
    stop();
  });
});

function SignOutButton() {
  const { mutate } = useSignOut();
  return <button onClick={() => mutate()}>Sign Out</button>;
}

describe('Signing out', () => {
  const goHome = jest.spyOn(signOutRedirect, 'goHome').mockImplementation(() => undefined);
  afterAll(() => goHome.mockRestore());

  it.each([
    ['the server responds', [204] as MockResponse],
    ['the server does not respond', [503, {}] as MockResponse],
  ])('removes form drafts in every tab, whether %s', async (_, response) => {
    mockApi({ 'POST /api/logout': response });
    localStorage.clear();
    const { user } = await renderComponent(<SignOutButton />);
    accountHeader.set(1);
    formDraftStorage.set('zone.new', { words: { name: 'Course' } });
    goHome.mockClear();
    await user.click(screen.getByRole('button', { name: 'Sign Out' }));
    await waitFor(() => expect(goHome).toHaveBeenCalled());
    expect(getDraftKeys()).toEqual([]);
    // Notifies the other tabs.
    expect(localStorage.getItem('zonary.words-forgotten')).not.toBeNull();
  });
});

/** Dialogs without a draft, and why. */
const exceptions: Record<string, string> = {
  'features/files/components/name-dialog.tsx': 'one name',
  'features/files/downloads/file-permissions-dialog.tsx': 'two ticks, no words',
  'features/settings/factors/rename-passkey-dialog.tsx': 'one name',
  'features/settings/components/account/change-email-button.tsx': 'one address, of an account',
  'features/settings/components/tokens/new-token-dialog.tsx': 'a token',
  'features/members/components/edit-membership-dialog.tsx': 'choices, no words',
  'features/zones/components/join-settings-dialog.tsx': 'choices, no words',
  'features/campaigns/composer/dialogs/link-dialog.tsx': 'one address, in a composer that keeps what it holds',
  'features/zones/components/edit-zone-dialog.tsx': 'its form is useZoneDetailsForm',
  'features/links/components/link-dialog.tsx': 'its form is useLinkForm',
};

it('requires a draft or a documented exception for every form dialog', () => {
  const source = join(__dirname, '../..');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.tsx') && !path.endsWith('.spec.tsx') && !path.startsWith('shared/forms/'),
  );
  const texts = new Map(files.map((path) => [path, readFileSync(join(source, path), 'utf8')]));
  const dialogs = files.filter((path) => texts.get(path)!.includes('<DialogForm'));
  const formsWithoutDraft = dialogs.filter((path) => !/\bdraft(?::|,)/.test(texts.get(path)!));
  expect(formsWithoutDraft.sort()).toEqual(Object.keys(exceptions).sort());
});
