import { registerUser } from '../../../support/people/actors.js';
import { describeInProcess } from '../../../support/world.js';
import { LATER, createNumber, Shop } from '../../integrations/shop.js';
import { uploadFile } from '../upload/multipart-helpers.js';
import { FileWatchClient } from './file-watch-client.js';

describeInProcess('Open reader of a purchased file', () => {
  it('is notified when the purchase is refunded', async () => {
    const shop = await Shop.open();
    const zone = await shop.createZone();
    const product = createNumber();
    await shop.mapProduct(product, zone);
    const buyer = await registerUser(shop.world);
    const order = { id: createNumber(), email: buyer.email, products: [product] };
    await shop.sendOrder(order);
    const { id } = await uploadFile(zone.owner.client, zone.id, 'Course.txt', 'text');
    const reader = await FileWatchClient.open(shop.world, buyer, id);
    expect(reader.response.statusCode).toBe(200);
    await shop.sendOrder({ ...order, status: 'refunded', modified: LATER });
    await reader.ended;
    expect(reader.eventNames).toEqual(['gone']);
    await shop.world.close();
  });
});
