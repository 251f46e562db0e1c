import { Migration } from '@mikro-orm/migrations';

/** Renames waiting jobs, past cron runs and throttled notifications: jobs are named like the constant that declares them. */
export class Migration0016StandardJobNames extends Migration {
  override up(): void {
    const pairs = Object.entries(renamed).map(([oldName, newName]) => `('${oldName}', '${newName}')`);
    for (const [table, column] of Object.entries(columns))
      this.addSql(`
        update "${table}" set "${column}" = renamed."new_name"
        from (values ${pairs.join(', ')}) as renamed ("old_name", "new_name")
        where "${table}"."${column}" = renamed."old_name";
      `);
  }
}

const columns = { jobs: 'name', clock_runs: 'name', hourly_notices: 'kind' };

const renamed = {
  'plans.tell-of-limit': 'plans.notify-limit-reached',
  'plans.follow-default': 'plans.apply-default-plan',
  'plans.warn-of-limits': 'plans.enqueue-limit-warnings',
  'admin.tell-news': 'admin.send-admin-digest',
  'activity.partitions': 'activity.create-activity-partitions',
  'activity.forget-viewings': 'activity.purge-viewings',
  'auth.tell-email-changed': 'auth.notify-email-changed',
  'auth.send-sign-in-mail': 'auth.send-sign-in-email',
  'auth.tell-security-event': 'auth.notify-security-event',
  'retention.remove-aged': 'retention.apply-retention',
  'account.erase-person': 'account.erase-account',
  'account.tell-account-deleted': 'account.notify-account-deleted',
  'files.tell-sweep-stopped': 'files.notify-sweep-stopped',
  'files.make-thumbnails': 'files.generate-thumbnails',
  'files.draw-first-pages': 'files.render-first-pages',
  'files.read-texts': 'files.extract-texts',
  'billing.tell-of-billing': 'billing.notify-billing-event',
  'billing.tell-address': 'billing.sync-stripe-email',
  'billing.align-collection': 'billing.sync-payment-collection',
  'suggestions.tell-merged': 'suggestions.notify-suggestion-merged',
  'suggestions.tell-status': 'suggestions.notify-suggestion-status',
  'integrations.admit-waiting': 'integrations.admit-waiting-customers',
  'integrations.tell-purchase': 'integrations.notify-purchase',
  'integrations.tell-silence': 'integrations.notify-inactivity',
  'integrations.watch-silence': 'integrations.detect-inactivity',
  'integrations.tell-blocked-customer': 'integrations.notify-blocked-customer-purchase',
  'integrations.tell-buyer': 'integrations.notify-buyer',
  'integrations.tell-owner-of-orders': 'integrations.notify-owner-of-orders',
  'integrations.tell-staff-of-orders': 'integrations.notify-admins-of-orders',
  'zones.tell-invitation-accepted': 'zones.notify-invitation-accepted',
  'zones.tell-undelivered': 'zones.notify-undeliverable-invitations',
  'zones.tell-added': 'zones.notify-member-added',
  'zones.tell-left-over': 'zones.notify-unnotified-members',
  'zones.tell-admitted': 'zones.notify-join-request-approved',
  'zones.purge-declined': 'zones.purge-declined-requests',
  'zones.tell-declined': 'zones.notify-join-request-declined',
  'zones.tell-join-requests': 'zones.notify-join-requests',
  'zones.tell-joins-wait': 'zones.notify-join-emails-delayed',
  'zones.tell-zone-full': 'zones.notify-plan-limit-reached',
  'zones.tell-zone-removed': 'zones.notify-zone-deleted',
  'links.forget-visitors': 'links.erase-link-visitors',
  'links.send-held-joins': 'links.send-held-join-emails',
  'links.mark-expired': 'links.mark-expired-links',
  'campaigns.tell-stopped': 'campaigns.notify-campaign-stopped',
  'campaigns.keep-quotas': 'campaigns.open-monthly-quotas',
  'campaigns.deliver': 'campaigns.wake-campaign-workers',
  'campaigns.sweep': 'campaigns.sweep-campaigns',
  'campaigns.start-scheduled': 'campaigns.start-scheduled-campaign',
  'campaigns.tell-failed': 'campaigns.notify-campaign-failed',
  'campaigns.welcome-members': 'campaigns.send-welcome-emails',
  'campaigns.test-mail': 'campaigns.send-test-email',
  'notices.purge': 'notification-throttle.purge-hourly-notices',
  'jobs.purge-clock-runs': 'jobs.purge-cron-runs',
  'trail.forget-security-events': 'security-events.purge-security-events',
  'storage.renew-mark': 'storage.renew-storage-mark',
};
