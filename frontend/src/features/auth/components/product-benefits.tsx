import FolderSpecialRounded from '@mui/icons-material/FolderSpecialRounded';
import GroupsRounded from '@mui/icons-material/GroupsRounded';
import LockRounded from '@mui/icons-material/LockRounded';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';

const benefits = [
  { name: 'secure', Icon: LockRounded },
  { name: 'team', Icon: GroupsRounded },
  { name: 'zones', Icon: FolderSpecialRounded },
] as const;

/** Benefits of the product, next to the form on wide screens. */
export function ProductBenefits() {
  const { t } = useTranslation('auth');
  return (
    <Box
      component="ul"
      aria-label={t('advantages.label')}
      sx={{ display: { xs: 'none', md: 'grid' }, gap: 6, m: 0, p: 0, listStyle: 'none', maxWidth: 400 }}
    >
      {benefits.map(({ name, Icon }) => (
        <Box component="li" key={name} sx={{ display: 'flex', gap: 4 }}>
          <Icon sx={{ mt: 0.5, color: 'text.secondary' }} />
          <div>
            <Typography variant="h3" component="p">
              {t(`advantages.${name}`)}
            </Typography>
            <Typography color="textSecondary">{t(`advantages.${name}Text`)}</Typography>
          </div>
        </Box>
      ))}
    </Box>
  );
}
