import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { useRecordContext, useResourceContext } from 'react-admin';
import { Link as RouterLink } from 'react-router';
import type { ResourceName } from '../../resources';
import { toRecordLinkId, useRecordAddress } from './record-address';

/** Links a row to its record, so that it can be opened by keyboard and in a new tab. */
export function RecordLink({ label, children }: { label: string; children: ReactNode }) {
  const { id } = useRecordContext()!;
  const getAddress = useRecordAddress(useResourceContext() as ResourceName);
  return (
    <Link
      component={RouterLink}
      {...getAddress(id)}
      preventScrollReset
      id={toRecordLinkId(id)}
      aria-label={label}
      // The row opens the record on click as well.
      onClick={(event) => event.stopPropagation()}
      sx={{ overflowWrap: 'anywhere' }}
    >
      {children}
    </Link>
  );
}
