import type { MigrationObject } from '@mikro-orm/core';
import { Migration0001Platform } from './0001-platform.js';
import { Migration0002Auth } from './0002-auth.js';
import { Migration0003Plans } from './0003-plans.js';
import { Migration0004Zones } from './0004-zones.js';
import { Migration0005Files } from './0005-files.js';
import { Migration0006Activity } from './0006-activity.js';
import { Migration0007Insights } from './0007-insights.js';
import { Migration0008Links } from './0008-links.js';
import { Migration0009Campaigns } from './0009-campaigns.js';
import { Migration0010Integrations } from './0010-integrations.js';
import { Migration0011Billing } from './0011-billing.js';
import { Migration0012Account } from './0012-account.js';
import { Migration0013Admin } from './0013-admin.js';
import { Migration0014Retention } from './0014-retention.js';
import { Migration0015Suggestions } from './0015-suggestions.js';
import { Migration0016StandardJobNames } from './0016-standard-job-names.js';
import { Migration0017GrowingUploads } from './0017-growing-uploads.js';
import { Migration0018FileVersions } from './0018-file-versions.js';
import { Migration0019ItemLinks } from './0019-item-links.js';
import { Migration0020Transfers } from './0020-transfers.js';
import { Migration0021BucketMultiparts } from './0021-bucket-multiparts.js';
import { Migration0022StorageMoves } from './0022-storage-moves.js';
import { Migration0023LinkLimits } from './0023-link-limits.js';
import { Migration0024DirectUploads } from './0024-direct-uploads.js';
import { Migration0025FileRequests } from './0025-file-requests.js';
import { Migration0026GuestSubmissions } from './0026-guest-submissions.js';
import { Migration0027ReadingPositions } from './0027-reading-positions.js';
import { Migration0028Reading } from './0028-reading.js';

/**
 * All migrations, in order. Append only: one that has landed is never edited. Those up to 0015 create the schema of
 * version 0.2.0, by module; the rest are its changes since.
 */
export const migrations: MigrationObject[] = [
  { name: '0001-platform', class: Migration0001Platform },
  { name: '0002-auth', class: Migration0002Auth },
  { name: '0003-plans', class: Migration0003Plans },
  { name: '0004-zones', class: Migration0004Zones },
  { name: '0005-files', class: Migration0005Files },
  { name: '0006-activity', class: Migration0006Activity },
  { name: '0007-insights', class: Migration0007Insights },
  { name: '0008-links', class: Migration0008Links },
  { name: '0009-campaigns', class: Migration0009Campaigns },
  { name: '0010-integrations', class: Migration0010Integrations },
  { name: '0011-billing', class: Migration0011Billing },
  { name: '0012-account', class: Migration0012Account },
  { name: '0013-admin', class: Migration0013Admin },
  { name: '0014-retention', class: Migration0014Retention },
  { name: '0015-suggestions', class: Migration0015Suggestions },
  { name: '0016-standard-job-names', class: Migration0016StandardJobNames },
  { name: '0017-growing-uploads', class: Migration0017GrowingUploads },
  { name: '0018-file-versions', class: Migration0018FileVersions },
  { name: '0019-item-links', class: Migration0019ItemLinks },
  { name: '0020-transfers', class: Migration0020Transfers },
  { name: '0021-bucket-multiparts', class: Migration0021BucketMultiparts },
  { name: '0022-storage-moves', class: Migration0022StorageMoves },
  { name: '0023-link-limits', class: Migration0023LinkLimits },
  { name: '0024-direct-uploads', class: Migration0024DirectUploads },
  { name: '0025-file-requests', class: Migration0025FileRequests },
  { name: '0026-guest-submissions', class: Migration0026GuestSubmissions },
  { name: '0027-reading-positions', class: Migration0027ReadingPositions },
  { name: '0028-reading', class: Migration0028Reading },
];
