import { register } from '../../../support/people/actors.js';
import { describeInProcess } from '../../../support/world.js';
import { LATER, newNumber, Shop } from '../../integrations/shop-world.js';
import { put } from '../upload/files-forms.js';
import { OpenReader } from './open-reader.js';

describeInProcess('somebody who reads what they bought', () => {
  it('is told when it is refunded', async () => {
    const shop = await Shop.open();
    const zone = await shop.zone();
    const product = newNumber();
    await shop.map(product, zone);
    const buyer = await register(shop.world);
    const order = { id: newNumber(), email: buyer.email, products: [product] };
    await shop.send(order);
    const { id } = await put(zone.owner.client, zone.id, 'Course.txt', 'text');
    const reader = await OpenReader.open(shop.world, buyer, id);
    expect(reader.answer.statusCode).toBe(200);
    await shop.send({ ...order, status: 'refunded', modified: LATER });
    await reader.ended;
    expect(reader.events).toEqual(['gone']);
    await shop.world.close();
  });
});
