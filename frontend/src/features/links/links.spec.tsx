import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { freezeClock, daysFromNow } from '../../../test/clock';
import { formatDateTime } from '../../shared/format/date';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';

freezeClock();
const link = (changes: object = {}) => ({
  id: 3,
  zoneId: 7,
  token: 'tok3',
  name: 'Spring course',
  url: 'http://x/zone/temp/tok3',
  expiresAt: daysFromNow(2),
  maxUses: 10,
  currentUses: 4,
  isActive: true,
  isExpired: false,
  hasReachedMaxUses: false,
  state: 'active',
  hasPassword: false,
  passwordAttackedAt: null,
  membershipDays: null,
  createdById: 1,
  createdAt: daysFromNow(-1),
  updatedAt: daysFromNow(-1),
  totalAttempts: 9,
  successfulJoins: 4,
  newUsers: 3,
  existingUsers: 1,
  countries: [{ country: 'TR', attempts: 9, joins: 4 }],
  outcomes: [
    { outcome: 'LINK_PASSWORD_WRONG', attempts: 5 },
    { outcome: 'A_NEW_ONE', attempts: 1 },
  ],
  recentJoins: [
    { id: 1, userName: 'Rosa', userEmail: 'rosa@example.org', wasNewUser: true, joinedAt: daysFromNow(-1) },
    { id: 2, userName: null, userEmail: null, wasNewUser: false, joinedAt: daysFromNow(-1) },
  ],
  overTime: [{ date: new Date().toISOString().slice(0, 10), attempts: 9, joins: 4 }],
  ...changes,
});
const list = 'GET /api/zones/7/temporary-links/analytics';
const create = 'POST /api/zones/7/temporary-links';
const funnel = 'GET /api/zones/7/link-funnel';
const privateZone = makeZone({ type: 'private', isPrivate: true, publicLink: null });

function serve(more: Record<string, MockResponse> = {}) {
  return mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones': [200, [privateZone]],
    'GET /api/zones/7': [200, privateZone],
    'GET /api/zones/7/join-requests': [200, []],
    'GET /api/zones/7/folder-mirrors': [200, []],
    'GET /api/zones/7/item-links': [200, []],
    [list]: [200, [link()]],
    ...more,
  });
}

async function openMenu(item: string, name = 'Spring course') {
  const view = await renderApp('/zones/7/share');
  await view.user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  await view.user.click(await screen.findByRole('menuitem', { name: item }));
  return view;
}

async function openForm() {
  const view = await renderApp('/zones/7/share');
  await view.user.click(await screen.findByRole('button', { name: 'Create Temporary Link' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Temporary Link' }));
  return { ...view, dialog, submit: () => view.user.click(dialog.getByRole('button', { name: 'Create Link' })) };
}

describe('Temporary links of a zone', () => {
  it('show their state, uses, remaining time and joins', async () => {
    const ended = link({
      id: 4,
      name: 'Old',
      expiresAt: daysFromNow(-3),
      isExpired: true,
      state: 'expired',
      maxUses: null,
    });
    const full = link({ id: 5, name: 'Full', currentUses: 10, state: 'max_uses', hasPassword: true });
    serve({ [list]: [200, [link({ membershipDays: 30 }), ended, full]] });
    await renderApp('/zones/7/share');
    const rows = within(await screen.findByRole('list', { name: 'Temporary Links' })).getAllByRole('listitem');
    expect(rows[0]).toHaveTextContent(/Spring course.*Active.*Ends .* · membership for 30 days.*4 of 10 uses/);
    expect(rows[0]).toHaveTextContent(`Ends ${formatDateTime(daysFromNow(2), 'en')} ·`);
    expect(within(rows[0]!).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
    expect(within(rows[0]!).getByRole('img', { name: 'Joins in the last 30 days: 4' })).toBeInTheDocument();
    expect(rows[1]).toHaveTextContent(/Old.*Expired.*Ended .*4 uses/);
    expect(rows[1]).toHaveTextContent(`Ended ${formatDateTime(daysFromNow(-3), 'en')}`);
    expect(rows[2]).toHaveTextContent(/Full.*Max Uses Reached/);
    expect(within(rows[2]!).getByTitle('Password-protected')).toBeInTheDocument();
    expect(screen.getByText(/members cannot partially unsubscribe/)).toBeInTheDocument();
  });

  it('show an empty state when there are none', async () => {
    serve({ [list]: [200, []] });
    await renderApp('/zones/7/share');
    expect(await screen.findByText(/No links yet/)).toBeInTheDocument();
  });
});

describe('Creating a temporary link', () => {
  it('defaults to 48 hours and requires a name', async () => {
    const server = serve({ [create]: [201, link()] });
    const { dialog, user, submit } = await openForm();
    await submit();
    expect(dialog.getByLabelText('Name')).toHaveAccessibleDescription('Please enter a name for the link');
    await user.type(dialog.getByLabelText('Name'), ' Spring ');
    await submit();
    expect(await screen.findByText('Temporary link created')).toBeInTheDocument();
    const body = { name: 'Spring', expiresInHours: 48, maxUses: null, membershipDays: null };
    expect(server.callsTo(create)[0]?.body).toEqual(body);
  });

  it('shows the URL and the QR code of the new link', async () => {
    serve({ [create]: [201, link({ token: 'fresh' })], [list]: [200, []] });
    const { dialog, user, submit } = await openForm();
    await user.type(dialog.getByLabelText('Name'), 'Spring');
    await submit();
    const ready = within(await screen.findByRole('dialog', { name: 'Your link is ready' }));
    const address = `${location.origin}/zone/temp/fresh`;
    expect(ready.getByLabelText('Link')).toHaveValue(address);
    expect(await ready.findByRole('img', { name: `QR code of ${address}` })).toBeVisible();
    await user.click(ready.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: 'Create Temporary Link' })).toHaveFocus();
  });

  it('accepts an end time with offset, maximum uses, membership days and a password', async () => {
    const server = serve({ [create]: [201, link()] });
    const { dialog, user, submit } = await openForm();
    await user.type(dialog.getByLabelText('Name'), 'Spring');
    await user.selectOptions(dialog.getByLabelText('Ends after'), 'Custom date and time');
    expect(dialog.getByLabelText('Time zone')).toHaveValue('+03:00');
    await user.clear(dialog.getByLabelText('Date'));
    await submit();
    const date = dialog.getByLabelText('Date');
    expect(date).toHaveAccessibleDescription('Invalid date/time selected. Please check your inputs.');
    await user.type(date, '2040-02-29');
    await user.selectOptions(dialog.getByLabelText('Time zone'), 'GMT+05:30');
    await user.type(dialog.getByLabelText(/^Maximum uses/), '0');
    await submit();
    expect(dialog.getByLabelText(/^Maximum uses/)).toHaveAccessibleDescription(/whole number/);
    await user.clear(dialog.getByLabelText(/^Maximum uses/));
    await user.type(dialog.getByLabelText(/^Maximum uses/), '25');
    await user.type(dialog.getByLabelText(/^Membership length/), '7');
    await user.type(dialog.getByLabelText(/^Password/), 'abcde');
    await submit();
    expect(dialog.getByLabelText(/^Password/)).toHaveAccessibleDescription(/6 to 128/);
    await user.type(dialog.getByLabelText(/^Password/), 'f');
    await submit();
    await waitFor(() => expect(server.callsTo(create)).toHaveLength(1));
    expect(server.callsTo(create)[0]?.body).toEqual({
      name: 'Spring',
      expiresAt: '2040-02-29T12:00:00+05:30',
      maxUses: 25,
      membershipDays: 7,
      password: 'abcdef',
    });
  });

  it('shows an error and keeps the entered values when creation fails', async () => {
    serve({ [create]: errorResponse(409, 'ZONE_IS_PUBLIC', 'This zone is public.') });
    const { dialog, user, submit } = await openForm();
    await user.type(dialog.getByLabelText('Name'), 'Spring');
    await submit();
    expect(await screen.findByText('Failed to create temporary link')).toBeInTheDocument();
    expect(dialog.getByLabelText('Name')).toHaveValue('Spring');
  });
});

describe('Temporary link', () => {
  const path = '/api/temporary-links/3';

  it('sends only the changed fields when edited', async () => {
    const server = serve({ [list]: [200, [link({ hasPassword: true })]], [`PATCH ${path}`]: [200, link()] });
    const { user } = await openMenu('Edit');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Link' }));
    expect(dialog.getByLabelText(/^Password/)).toHaveAccessibleDescription(
      'A password is set. Leave empty to keep it.',
    );
    await user.clear(dialog.getByLabelText(/^Maximum uses/));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Link updated')).toBeInTheDocument();
    expect(server.callsTo(`PATCH ${path}`)[0]?.body).toEqual({ maxUses: null });
  });

  it('removes its password on request', async () => {
    const server = serve({ [list]: [200, [link({ hasPassword: true })]], [`PATCH ${path}`]: [200, link()] });
    const { user } = await openMenu('Edit');
    await user.click(await screen.findByLabelText('Remove the password'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(server.callsTo(`PATCH ${path}`)).toHaveLength(1));
    expect(server.callsTo(`PATCH ${path}`)[0]?.body).toMatchObject({ password: null });
  });

  it('is paused at once and resumed by Undo', async () => {
    const server = serve({ [`PATCH ${path}`]: [200, link()] });
    const { user } = await openMenu('Pause');
    expect(await screen.findByText('“Spring course” is paused')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(server.callsTo(`PATCH ${path}`)).toHaveLength(2));
    expect(server.callsTo(`PATCH ${path}`).map(({ body }) => body)).toEqual([{ isActive: false }, { isActive: true }]);
  });

  it('is deleted after a confirmation that shows its name', async () => {
    const server = serve({ [`DELETE ${path}`]: [204] });
    const { user } = await openMenu('Delete');
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete “Spring course”?' }));
    expect(server.callsTo(`DELETE ${path}`)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Temporary link deleted')).toBeInTheDocument();
  });

  it('is copied with the origin of this site', async () => {
    const server = serve();
    const { user } = await renderApp('/zones/7/share');
    const written = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(await screen.findByRole('button', { name: 'Copy the link Spring course' }));
    expect(await screen.findByText('Link copied!')).toBeInTheDocument();
    expect(written).toHaveBeenCalledWith(`${location.origin}/zone/temp/tok3`);
    expect(server.callsTo('POST /api/dashboard/start').map(({ body }) => body)).toEqual([{ step: 'link' }]);
  });

  it('shows an error when copying fails', async () => {
    serve();
    const { user } = await renderApp('/zones/7/share');
    const button = await screen.findByRole('button', { name: 'Copy the link Spring course' });
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('no'));
    await user.click(button);
    expect(await screen.findByText('Copy failed')).toBeInTheDocument();
    expect(screen.getByText('Could not copy the link. Please copy it manually.')).toBeInTheDocument();
  });

  it('shows its analytics with readable labels', async () => {
    const server = serve({ [funnel]: [200, { joined: 4, opened: 3, read: 2, downloaded: 1 }] });
    await openMenu('Analytics');
    const panel = within(await screen.findByRole('dialog', { name: 'Analytics' }));
    expect(panel.getByText('Türkiye')).toBeInTheDocument();
    expect(panel.getByText('4 of 9 joined')).toBeInTheDocument();
    expect(panel.getByText('Wrong password')).toBeInTheDocument();
    const steps = within(await panel.findByRole('region', { name: 'From Attempts to Downloads' }));
    expect(steps.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Attempts to join9',
      'People who joined4',
      'Opened a file3',
      'Read a document2',
      'Downloaded a file1',
    ]);
    expect(Object.fromEntries(server.callsTo(funnel)[0]!.query)).toEqual({ linkId: '3' });
    expect(panel.getByText('Other')).toBeInTheDocument();
    expect(panel.getByText('rosa@example.org')).toBeInTheDocument();
    expect(panel.getByText('Deleted account')).toBeInTheDocument();
    expect(panel.getByRole('link', { name: 'Download CSV' })).toHaveAttribute('href', `${path}/usages.csv`);
  });

  it('is shown as a QR code', async () => {
    serve();
    await openMenu('QR Code');
    const address = `${location.origin}/zone/temp/tok3`;
    expect(await screen.findByRole('img', { name: `QR code of ${address}` })).toBeInTheDocument();
  });
});

describe('Public link', () => {
  const zone = makeZone();
  const renew = 'POST /api/zones/7/public-link/regenerate';

  it('is replaced after a confirmation', async () => {
    const server = serve({ 'GET /api/zones/7': [200, zone], [renew]: [200, zone] });
    const { user } = await renderApp('/zones/7/share');
    await user.click(await screen.findByRole('button', { name: 'Replace Link' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Replace the public link?' }));
    expect(server.callsTo(renew)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Replace Link' }));
    expect(await screen.findByText('Public link replaced')).toBeInTheDocument();
    expect(server.callsTo('GET /api/zones/7').length).toBeGreaterThan(1);
    expect(server.callsTo(list)).toEqual([]);
  });

  it('has analytics of its own', async () => {
    const figures = link({ totalAttempts: 0, successfulJoins: 0, newUsers: 0, existingUsers: 0 });
    const server = serve({ 'GET /api/zones/7': [200, zone], 'GET /api/zones/7/public-link/analytics': [200, figures] });
    const { user } = await renderApp('/zones/7/share');
    await user.click(await screen.findByRole('button', { name: 'Analytics' }));
    expect(await screen.findByText('Nobody has tried this link yet.')).toBeInTheDocument();
    expect(server.callsTo('GET /api/zones/7/public-link/analytics')).toHaveLength(1);
  });
});

describe('Links to the files and folders of a zone', () => {
  const zoneLinks = 'GET /api/zones/7/item-links';
  const itemLink = (changes: object = {}) => ({
    ...{ id: 5, zoneId: 7, fileId: 12, folderId: null, itemName: 'Course.pdf', parentFolderId: 3, isInTrash: false },
    ...{ token: 'tok5', name: 'For Grace', url: 'http://x/s/tok5', expiresAt: null, maxUses: 3, currentUses: 1 },
    ...{ isActive: true, state: 'active', hasPassword: true, needsEmail: true, allowDownload: false },
    ...{ passwordAttackedAt: null, allowUploads: false, isFolderRequesting: false },
    ...{ views: 4, downloads: 0, lastVisitAt: daysFromNow(-1), createdById: 1 },
    ...{ createdAt: daysFromNow(-2), updatedAt: daysFromNow(-2) },
    ...changes,
  });

  it('are listed with their item, terms and figures', async () => {
    const trashed = itemLink({ id: 6, name: 'Old', itemName: 'Drafts', fileId: null, folderId: 4, isInTrash: true });
    const guessed = itemLink({ passwordAttackedAt: daysFromNow(-1) });
    serve({ [zoneLinks]: [200, [guessed, { ...trashed, lastVisitAt: null, maxUses: null, currentUses: 0 }]] });
    await renderApp('/zones/7/share');
    const list = await screen.findByRole('list', { name: 'Links to Files and Folders' });
    const rows = within(list).getAllByRole('listitem');
    expect(rows[0]).toHaveTextContent(/For Grace.*Active.*Never ends · asks for an email address · no downloads/);
    expect(rows[0]).toHaveTextContent(/1 of 3 uses.*4 views · 0 downloads · Last visit: yesterday/);
    expect(within(rows[0]!).getByRole('link', { name: 'Course.pdf' })).toHaveAttribute(
      'href',
      '/zones/7/folders/3?item=file-12',
    );
    expect(rows[1]).toHaveTextContent(/Old.*Drafts, in the trash.*0 uses$/);
    expect(within(rows[1]!).queryByRole('link')).not.toBeInTheDocument();
    expect(rows[0]).toHaveTextContent(`many wrong ones were entered until ${formatDateTime(daysFromNow(-1), 'en')}`);
    expect(rows[1]).not.toHaveTextContent('guessing');
  });

  it('show who visited, with the address that each stated', async () => {
    const guest = { id: 1, email: 'grace@example.org', firstAt: daysFromNow(-2), lastAt: daysFromNow(-1) };
    serve({
      [zoneLinks]: [200, [itemLink()]],
      'GET /api/item-links/5/guests': [
        200,
        [
          { ...guest, views: 4, downloads: 1 },
          { ...guest, id: 2, email: null, views: 0, downloads: 0 },
        ],
      ],
    });
    const { user } = await renderApp('/zones/7/share');
    await user.click(await screen.findByRole('button', { name: 'Actions for For Grace' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Analytics' }));
    const panel = within(await screen.findByRole('dialog', { name: 'Analytics' }));
    const rows = within(await panel.findByRole('list', { name: 'Visitors' })).getAllByRole('listitem');
    expect(rows[0]).toHaveTextContent(/grace@example.org.*4 views · 1 download.*First .*, last /);
    expect(rows[1]).toHaveTextContent(/Visitor without an email address/);
    expect(panel.getByText(/They aren’t verified/)).toBeInTheDocument();
  });

  it('are changed field by field', async () => {
    const path = '/api/item-links/5';
    const ending = itemLink({ expiresAt: daysFromNow(2) });
    const server = serve({ [zoneLinks]: [200, [ending]], [`PATCH ${path}`]: [200, itemLink()] });
    const { user } = await renderApp('/zones/7/share');
    await user.click(await screen.findByRole('button', { name: 'Actions for For Grace' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Link' }));
    await user.selectOptions(dialog.getByLabelText('Ends after'), 'Never');
    await user.click(dialog.getByLabelText('Ask for an email address'));
    await user.click(dialog.getByLabelText('Remove the password'));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Link updated')).toBeInTheDocument();
    expect(server.callsTo(`PATCH ${path}`)[0]?.body).toEqual({ expiresAt: null, needsEmail: false, password: null });
  });
});
