import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import type { SectionId } from './section';
import { useActiveSection } from './use-active-section';
import { useVisibleSections } from './use-visible-sections';

/** Links to the sections, next to them on wide screens. */
export function SectionNav() {
  const { t } = useTranslation('settings');
  const activeSection = useActiveSection();
  const visibleSections = useVisibleSections();
  return (
    <Box component="nav" aria-label={t('nav')} sx={{ display: { xs: 'none', lg: 'block' }, flex: 'none', width: 200 }}>
      <Box
        component="ul"
        sx={{
          position: 'sticky',
          top: (theme) => `calc(var(--z-top-bar) + ${theme.spacing(8)})`,
          display: 'grid',
          gap: 1,
          m: 0,
          p: 0,
          listStyle: 'none',
        }}
      >
        {visibleSections.map((id) => (
          <li key={id}>
            <SectionLink id={id} isActive={id === activeSection} />
          </li>
        ))}
      </Box>
    </Box>
  );
}

function SectionLink({ id, isActive }: { id: SectionId; isActive: boolean }) {
  const { t } = useTranslation('settings');
  return (
    <Link
      component={RouterLink}
      to={`#${id}`}
      underline="none"
      aria-current={isActive ? 'location' : undefined}
      sx={{
        display: 'block',
        px: 3,
        py: 1.5,
        borderRadius: 1,
        color: isActive ? 'text.primary' : 'text.secondary',
        bgcolor: isActive ? 'tint.neutral' : 'transparent',
        '&:hover': { color: 'text.primary' },
      }}
    >
      {t(`${id}.title`)}
    </Link>
  );
}
