import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { Navigate, useParams } from 'react-router';
import { parseId, useZone } from '../../shared/api/use-zone';
import { RowsSkeleton } from '../../shared/ui/skeletons';

interface Props {
  /** The links panel. */
  links: ReactNode;
  /** The mirrors panel. */
  mirrors: ReactNode;
}

/** /zones/{id}/share: links and mirrors of a zone, for its owner. */
export function ZoneSharePage({ links, mirrors }: Props) {
  const id = parseId(useParams().zoneId);
  const { data: zone } = useZone(id);
  if (!zone) return <RowsSkeleton />;
  if (!zone.can.share) return <Navigate to={`/zones/${id}`} replace />;
  return (
    <Stack spacing={4} sx={{ maxWidth: 880 }}>
      {links}
      {mirrors}
    </Stack>
  );
}
