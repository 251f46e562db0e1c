import NavigateNextRounded from '@mui/icons-material/NavigateNextRounded';
import Breadcrumbs from '@mui/material/Breadcrumbs';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';

interface Props {
  zoneId: number;
  zoneName: string;
  /** From the root down to the folder that is shown. */
  path: readonly { id: number; name: string }[];
}

/** Where in the zone one is, with the way back up. */
export function FolderPath({ zoneId, zoneName, path }: Props) {
  const { t } = useTranslation('files');
  const here = path.at(-1);
  return (
    <Breadcrumbs
      aria-label={t('breadcrumb')}
      separator={<NavigateNextRounded sx={{ color: 'text.secondary' }} />}
      sx={{ '& .MuiBreadcrumbs-ol': { rowGap: 1 }, '& .MuiBreadcrumbs-separator': { mx: 1 } }}
    >
      <Step to={`/zones/${zoneId}`}>{zoneName}</Step>
      {path.slice(0, -1).map(({ id, name }) => (
        <Step key={id} to={`/zones/${zoneId}/folders/${id}`}>
          {name}
        </Step>
      ))}
      {here && (
        <Typography
          variant="h3"
          component="h2"
          aria-current="page"
          sx={{ color: 'text.primary', overflowWrap: 'anywhere' }}
        >
          {here.name}
        </Typography>
      )}
    </Breadcrumbs>
  );
}

function Step({ to, children }: { to: string; children: string }) {
  return (
    <Link
      component={RouterLink}
      to={to}
      underline="hover"
      sx={{ display: 'inline-block', py: 1, color: 'text.secondary', overflowWrap: 'anywhere' }}
    >
      {children}
    </Link>
  );
}
