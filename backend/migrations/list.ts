import type { MigrationObject } from '@mikro-orm/core';
import { Migration001Platform } from './001-platform.js';
import { Migration002Accounts } from './002-accounts.js';
import { Migration003Zones } from './003-zones.js';
import { Migration004Activity } from './004-activity.js';
import { Migration005Files } from './005-files.js';
import { Migration006Links } from './006-links.js';
import { Migration007JoinRequests } from './007-join-requests.js';
import { Migration008CountedMembers } from './008-counted-members.js';
import { Migration009AccountSecurity } from './009-account-security.js';
import { Migration010Erasure } from './010-erasure.js';
import { Migration011TrashAndSearch } from './011-trash-and-search.js';
import { Migration012MountsGoWithMirrors } from './012-mounts-go-with-mirrors.js';
import { Migration013ResumableUploads } from './013-resumable-uploads.js';
import { Migration015Thumbnails } from './015-thumbnails.js';
import { Migration020Leaving } from './020-leaving.js';
import { Migration025Invitations } from './025-invitations.js';
import { Migration030TemporaryLinks } from './030-temporary-links.js';
import { Migration040Campaigns } from './040-campaigns.js';
import { Migration060PlansAndBilling } from './060-plans-and-billing.js';
import { Migration070Integrations } from './070-integrations.js';
import { Migration072LeaveList } from './072-leave-list.js';

/** All migrations in their order. Append only: one that has landed is never edited. */
export const migrations: MigrationObject[] = [
  { name: '001-platform', class: Migration001Platform },
  { name: '002-accounts', class: Migration002Accounts },
  { name: '003-zones', class: Migration003Zones },
  { name: '004-activity', class: Migration004Activity },
  { name: '005-files', class: Migration005Files },
  { name: '006-links', class: Migration006Links },
  { name: '007-join-requests', class: Migration007JoinRequests },
  { name: '008-counted-members', class: Migration008CountedMembers },
  { name: '009-account-security', class: Migration009AccountSecurity },
  { name: '010-erasure', class: Migration010Erasure },
  { name: '011-trash-and-search', class: Migration011TrashAndSearch },
  { name: '012-mounts-go-with-mirrors', class: Migration012MountsGoWithMirrors },
  { name: '013-resumable-uploads', class: Migration013ResumableUploads },
  { name: '015-thumbnails', class: Migration015Thumbnails },
  { name: '020-leaving', class: Migration020Leaving },
  { name: '025-invitations', class: Migration025Invitations },
  { name: '030-temporary-links', class: Migration030TemporaryLinks },
  { name: '040-campaigns', class: Migration040Campaigns },
  { name: '060-plans-and-billing', class: Migration060PlansAndBilling },
  { name: '070-integrations', class: Migration070Integrations },
  { name: '072-leave-list', class: Migration072LeaveList },
];
