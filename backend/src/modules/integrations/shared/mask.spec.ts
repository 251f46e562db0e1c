import { maskBody } from './mask.js';

const maskObject = (body: unknown) => JSON.parse(maskBody(JSON.stringify(body))) as unknown;

describe('maskBody', () => {
  it('keeps product fields and masks customer data', () => {
    const order = {
      id: 7,
      status: 'completed',
      order_key: 'wc_order_secret',
      customer_ip_address: '203.0.113.9',
      customer_note: 'Ring twice',
      billing: { first_name: 'Nur', phone: '+90 555', country: 'TR' },
      meta_data: [{ id: 1, key: '_tax_number', value: '12345678901' }],
      line_items: [{ product_id: 71, name: 'Course', meta_data: [{ key: 'gift for', value: 'Ali' }] }],
      note: 'write to nur@example.com, please',
    };
    expect(maskObject(order)).toEqual({
      id: 7,
      status: 'completed',
      order_key: '•••',
      customer_ip_address: '•••',
      customer_note: '•••',
      billing: { first_name: '•••', phone: '•••', country: '•••' },
      meta_data: [{ id: '•••', key: '•••', value: '•••' }],
      line_items: [{ product_id: 71, name: 'Course', meta_data: [{ key: '•••', value: '•••' }] }],
      note: 'write to ••• please',
    });
  });

  it('masks the fields that payment providers and plugins use for customers', () => {
    const order = {
      billing_details: { name: 'Nur Ak', address: { line1: 'Sample street 5' } },
      payer: { surname: 'Ak' },
      billing_vat: 'TR123',
      vat_number: 'TR123',
      shipping_total: '4.00',
      shipping_tax: '0.40',
      total: '14.00',
    };
    expect(maskObject(order)).toEqual({
      billing_details: { name: '•••', address: { line1: '•••' } },
      payer: { surname: '•••' },
      billing_vat: '•••',
      vat_number: '•••',
      shipping_total: '4.00',
      shipping_tax: '0.40',
      total: '14.00',
    });
  });

  it('masks bodies nested too deeply to parse', () => {
    const nested = (levels: number) => `${'{"note":['.repeat(levels)}"nur@example.com"${']}'.repeat(levels)}`;
    expect(maskBody(nested(50_000))).toBe('•••');
    expect(maskBody(nested(51))).toBe('•••');
    expect(maskBody(nested(49))).toContain('"note"');
  });

  it('keeps empty values and masks a body that is not JSON', () => {
    expect(maskObject({ billing: { email: '', phone: null, company: false } })).toEqual({
      billing: { email: '', phone: null, company: false },
    });
    expect(maskBody('email=nur@example.com')).toBe('•••');
  });
});
