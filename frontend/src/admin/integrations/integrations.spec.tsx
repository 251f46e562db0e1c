import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser } from '../../../test/api';
import { renderApp } from '../../../test/render';

const timestamp = '2026-11-01T10:00:00.000Z';
const makeDelivery = (id: number, changes: object = {}) => ({
  id,
  event: 'order.updated',
  status: 'completed',
  customerEmail: `buyer${id}@example.org`,
  customerName: 'Nur Ak',
  zoneId: 3,
  zoneName: 'Library',
  membershipCreated: true,
  emailSent: true,
  errorMessage: null,
  errorCode: null,
  errorField: null,
  processedAt: timestamp,
  createdAt: timestamp,
  orderId: `90${id}`,
  productId: '71',
  productName: 'A course',
  ...changes,
});
const failedDelivery = makeDelivery(2, {
  status: 'failed',
  emailSent: false,
  errorCode: 'MISSING_FIELD',
  errorField: 'id',
  errorMessage: 'The field “id” is missing.',
});
const mapping = {
  id: 5,
  productId: '71',
  productName: 'A course',
  zoneId: 3,
  zoneName: 'Library',
  isActive: true,
  createdAt: timestamp,
};

const openWooCommerceAdmin = async (path: string, responses: Parameters<typeof mockApi>[0]) => {
  const server = mockApi({ 'GET /api/user': [200, makeUser({ role: 'admin' })], ...responses });
  return { server, ...(await renderApp(`/woocommerce-admin${path}`)) };
};

beforeEach(() => localStorage.clear());

describe('Webhook log', () => {
  it('shows the event, order, note and email of each delivery and replays selected ones', async () => {
    const { server, user } = await openWooCommerceAdmin('/webhook-logs', {
      'GET /api/woocommerce/webhook-logs': [200, [makeDelivery(1), failedDelivery], { 'X-Total-Count': '2' }],
      'POST /api/woocommerce/webhook-logs/replay': [200, { replayed: 1, passedOver: 1 }],
    });
    const row = within((await screen.findByText('buyer2@example.org')).closest('tr')!);
    for (const text of ['902', 'order.updated', 'The field “id” is missing.', 'No']) {
      expect(row.getByText(text)).toBeInTheDocument();
    }
    expect(screen.queryByRole('button', { name: 'Replay Selection' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('checkbox', { name: 'Select webhook 2' }));
    expect(await screen.findByText('1 webhook selected')).toBeInTheDocument();
    await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
    expect(await screen.findByText('2 webhooks selected')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Replay Selection' }));
    expect(await screen.findByText('1 webhook is being processed again')).toBeInTheDocument();
    expect(screen.getByText(/1 was skipped/)).toBeInTheDocument();
    expect(server.callsTo('POST /api/woocommerce/webhook-logs/replay')[0]!.body).toEqual({ ids: [1, 2] });
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Replay Selection' })).not.toBeInTheDocument());
  });
});

describe('Webhook', () => {
  const detail = { id: 2, body: '{"id": 902}', masked: false, entitlements: [] };

  it('is opened by its address, also if the list doesn’t show it', async () => {
    const { server, user, router } = await openWooCommerceAdmin('/webhook-logs/2', {
      'GET /api/woocommerce/webhook-logs': ({ url }) => [
        200,
        new URL(url).searchParams.has('id') ? [failedDelivery] : [makeDelivery(1)],
        { 'X-Total-Count': '1' },
      ],
      'GET /api/woocommerce/webhook-logs/2': [200, detail],
      'POST /api/woocommerce/webhook-logs/2/replay': [200, detail],
    });
    const panel = within(await screen.findByRole('dialog', { name: 'Webhook 2' }));
    expect(await panel.findByText('The field “id” is missing.')).toBeInTheDocument();
    await user.click(panel.getByRole('button', { name: 'Replay' }));
    const isRefetched = () =>
      server.callsTo('GET /api/woocommerce/webhook-logs').filter(({ query }) => query.get('id'));
    await waitFor(() => expect(isRefetched()).toHaveLength(2));
    await user.click(panel.getByRole('button', { name: 'Close' }));
    expect(router.state.location.pathname).toBe('/woocommerce-admin/webhook-logs');
  });

  it('that does not exist says so', async () => {
    await openWooCommerceAdmin('/webhook-logs/4', {
      'GET /api/woocommerce/webhook-logs': [200, []],
      'GET /api/woocommerce/webhook-logs/4': errorResponse(404, 'WEBHOOK_NOT_FOUND', 'Webhook not found.'),
    });
    const panel = within(await screen.findByRole('dialog', { name: 'Webhook 4' }));
    expect(await panel.findByText(/^Webhook not found\./)).toBeInTheDocument();
    expect(panel.queryByRole('button', { name: 'Replay' })).not.toBeInTheDocument();
  });
});

describe('Product mapping', () => {
  it('can be switched off and shows an error when that fails', async () => {
    const { server, user } = await openWooCommerceAdmin('', {
      'GET /api/woocommerce/product-mappings': [200, [mapping], { 'X-Total-Count': '1' }],
      'PATCH /api/woocommerce/product-mappings/5': [200, { ...mapping, isActive: false }],
    });
    const mappingSwitch = await screen.findByRole('switch', { name: 'A course gives access to Library' });
    expect(mappingSwitch).toBeChecked();
    await user.click(mappingSwitch);
    expect(await screen.findByText('Orders of the product no longer give access to the zone')).toBeInTheDocument();
    expect(server.callsTo('PATCH /api/woocommerce/product-mappings/5')[0]!.body).toEqual({ isActive: false });
    server.setResponse(
      'PATCH /api/woocommerce/product-mappings/5',
      errorResponse(404, 'MAPPING_NOT_FOUND', 'Product mapping not found.'),
    );
    await user.click(mappingSwitch);
    expect(await screen.findByText('Product mapping not found.')).toBeInTheDocument();
  });
});
