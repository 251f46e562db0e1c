import { MailerService } from '@nestjs-modules/mailer';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { Storage } from '../../../src/platform/storage/storage.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { describeInProcess } from '../../support/world.js';

/** Tests the check that guards every suite, on an application that violates it. */
describeInProcess('External call within a transaction', () => {
  const open = async (work: (app: TestApp) => Promise<unknown>): Promise<TestApp> => {
    const app = await createTestApp();
    await work(app);
    return app;
  };

  it('is rejected and fails the suite even if the rejection was caught', async () => {
    const app = await open((app) =>
      inTransaction(app.em(), async () => {
        const deleted = Promise.resolve().then(() => app.app.get(Storage).delete('files/00/none'));
        await expect(deleted).rejects.toThrow('Storage.delete');
        const sent = Promise.resolve().then(() => app.app.get(MailerService).sendMail({}));
        await expect(sent).rejects.toThrow('MailerService.sendMail');
      }),
    );
    await expect(app.close()).rejects.toThrow(/Storage.delete[^]*MailerService.sendMail/);
  });

  it('is allowed before, after, and in after-commit handlers', async () => {
    const app = await open(async (app) => {
      let later: (() => Promise<void>) | undefined;
      const storage = app.app.get(Storage);
      await storage.delete('files/00/none');
      await inTransaction(app.em(), async () => {
        await Promise.resolve();
        later = () => storage.delete('files/00/none');
      });
      await later?.();
    });
    await app.close();
  });
});
