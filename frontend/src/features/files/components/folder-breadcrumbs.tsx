import NavigateNextRounded from '@mui/icons-material/NavigateNextRounded';
import Breadcrumbs from '@mui/material/Breadcrumbs';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';

import { useDropTarget } from '../move/drag-and-drop';

interface Props {
  zoneId: number;
  zoneName: string;
  /** From the root down to the current folder. */
  path: readonly { id: number; name: string }[];
}

/** Path of the current folder, with links to its parents. */
export function FolderBreadcrumbs({ zoneId, zoneName, path }: Props) {
  const { t } = useTranslation('files');
  const currentFolder = path.at(-1);
  return (
    <Breadcrumbs
      aria-label={t('breadcrumb')}
      separator={<NavigateNextRounded sx={{ color: 'text.secondary' }} />}
      sx={{ '& .MuiBreadcrumbs-ol': { rowGap: 1 }, '& .MuiBreadcrumbs-separator': { mx: 1 } }}
    >
      <BreadcrumbLink to={`/zones/${zoneId}`} id={null}>
        {zoneName}
      </BreadcrumbLink>
      {path.slice(0, -1).map(({ id, name }) => (
        <BreadcrumbLink key={id} id={id} to={`/zones/${zoneId}/folders/${id}`}>
          {name}
        </BreadcrumbLink>
      ))}
      {currentFolder && (
        <Typography
          variant="h3"
          component="h2"
          aria-current="page"
          sx={{ color: 'text.primary', overflowWrap: 'anywhere' }}
        >
          {currentFolder.name}
        </Typography>
      )}
    </Breadcrumbs>
  );
}

function BreadcrumbLink({ to, id, children }: { to: string; id: number | null; children: string }) {
  const { ref, isDropTarget } = useDropTarget(`path-${id ?? 'top'}`, { id, name: children });
  return (
    <Link
      ref={ref}
      component={RouterLink}
      to={to}
      underline="hover"
      draggable={false}
      sx={{
        display: 'inline-block',
        mx: -1,
        px: 1,
        py: 1,
        borderRadius: 1,
        color: isDropTarget ? 'primary.main' : 'text.secondary',
        bgcolor: isDropTarget ? 'tint.accent' : undefined,
        overflowWrap: 'anywhere',
      }}
    >
      {children}
    </Link>
  );
}
