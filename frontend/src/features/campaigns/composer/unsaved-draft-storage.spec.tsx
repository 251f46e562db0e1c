import { screen, waitFor } from '@testing-library/react';
import { mockApi, makeUser } from '../../../../test/api';
import { renderApp } from '../../../../test/render';
import { makeZone } from '../../../../test/zones';

const savedAt = '2026-05-01T10:00:00.000Z';
const savedLaterAt = '2026-05-01T10:05:00.000Z';
const key = 'zonary.words.1.campaign.3';

const campaign = (changes: object = {}) => ({
  id: 3,
  kind: 'campaign',
  status: 'draft',
  name: 'Spring',
  subject: 'Theirs',
  zoneId: 7,
  failure: null,
  zoneName: 'Watercolour course',
  targetAudience: 'all',
  trackingEnabled: true,
  sentById: 1,
  scheduledAt: null,
  timeZone: null,
  startedAt: null,
  sentAt: null,
  createdAt: savedAt,
  updatedAt: savedLaterAt,
  htmlContent: '<table><tr><td>Hi</td></tr></table>',
  textContent: null,
  can: { edit: true, send: true, schedule: true, delete: true },
  ...changes,
});

const wording = {
  zoneId: '7',
  name: 'Spring',
  subject: 'Mine',
  targetAudience: 'all',
  trackingEnabled: true,
  htmlContent: '<table><tr><td>Hi</td></tr></table>',
};
/** Stores an unsaved draft in the tab, based on the version saved at `base`. */
const storeUnsavedDraft = (subject: string, base: string) =>
  sessionStorage.setItem(key, JSON.stringify({ wording: { ...wording, subject }, base }));

const mockServer = () =>
  mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones': [200, [makeZone()]],
    'GET /api/campaigns/3': [200, campaign()],
    'PUT /api/campaigns/3': [200, campaign({ subject: 'Mine', updatedAt: '2026-05-01T10:09:00.000Z' })],
  });

const findSubjectField = () => screen.findByLabelText('Subject line');
const queryConflictNotice = () => screen.queryByText(/This draft was changed elsewhere/);

beforeEach(() => {
  sessionStorage.clear();
  // jsdom can't submit forms into frames.
  jest.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => undefined);
});
afterEach(() => jest.restoreAllMocks());

describe('Unsaved campaign edits stored in the tab', () => {
  it('restores a new draft on first render', async () => {
    const words = { wording: { ...wording, subject: 'Mine' }, base: null };
    sessionStorage.setItem('zonary.words.1.campaign.new', JSON.stringify(words));
    mockServer();
    await renderApp('/campaigns/new?zone=7');
    expect(await findSubjectField()).toHaveValue('Mine');
  });

  it('lets the user choose when the draft was saved elsewhere in the meantime', async () => {
    storeUnsavedDraft('Mine', savedAt);
    const server = mockServer();
    const { user } = await renderApp('/campaigns/3');
    expect(await findSubjectField()).toHaveValue('Mine');
    expect(queryConflictNotice()).toBeInTheDocument();
    expect(server.callsTo('PUT /api/campaigns/3')).toHaveLength(0);
    await user.type(await findSubjectField(), ' still');
    // After a reload the conflict is shown again.
    expect(JSON.parse(sessionStorage.getItem(key)!)).toMatchObject({
      base: savedAt,
      wording: { subject: 'Mine still' },
    });
    await user.click(screen.getByRole('button', { name: 'Keep This Version' }));
    await waitFor(() => expect(queryConflictNotice()).not.toBeInTheDocument());
    expect(server.callsTo('PUT /api/campaigns/3')[0]!.body).toMatchObject({
      subject: 'Mine still',
      updatedAt: savedLaterAt,
    });
  });

  it('are discarded when the user chooses the version saved elsewhere', async () => {
    storeUnsavedDraft('Mine', savedAt);
    mockServer();
    const { user } = await renderApp('/campaigns/3');
    await user.click(await screen.findByRole('button', { name: 'Show the Other Version' }));
    await waitFor(async () => expect(await findSubjectField()).toHaveValue('Theirs'));
    expect(queryConflictNotice()).not.toBeInTheDocument();
    expect(sessionStorage.getItem(key)).toBeNull();
  });

  it('cause no conflict when they equal the saved version', async () => {
    storeUnsavedDraft('Theirs', savedAt);
    mockServer();
    await renderApp('/campaigns/3');
    expect(await findSubjectField()).toHaveValue('Theirs');
    expect(queryConflictNotice()).not.toBeInTheDocument();
  });
});
