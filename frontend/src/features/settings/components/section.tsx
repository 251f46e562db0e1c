import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** The IDs of the sections, in page order; each is also a URL fragment. */
export const sectionIds = [
  'profile',
  'plan',
  'region',
  'notices',
  'password',
  'passkeys',
  'factors',
  'sessions',
  'activity',
  'mails',
  'tokens',
  'data',
] as const;
export type SectionId = (typeof sectionIds)[number];
/** Not shown to everyone, so the navigation has no link to it. */
type ConditionalSectionId = 'identities';

interface Props {
  id: SectionId | ConditionalSectionId;
  title: string;
  text?: ReactNode;
  /** Shown to the right of the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** A section of the settings: a titled card that can be linked to. */
export function Section({ id, title, text, action, children }: Props) {
  return (
    <Card
      component="section"
      id={id}
      aria-labelledby={`${id}-title`}
      sx={{ overflow: 'visible', scrollMarginTop: (theme) => `calc(var(--z-top-bar) + ${theme.spacing(6)})` }}
    >
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 3,
          alignItems: 'flex-start',
          px: { xs: 4, sm: 6 },
          pt: { xs: 4, sm: 6 },
        }}
      >
        <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
          <Typography id={`${id}-title`} variant="h3" component="h2" tabIndex={-1} sx={{ outline: 'none' }}>
            {title}
          </Typography>
          {text && (
            <Typography color="textSecondary" sx={{ mt: 0.5, maxWidth: '64ch' }}>
              {text}
            </Typography>
          )}
        </Box>
        {action}
      </Box>
      {children}
    </Card>
  );
}

/** The content of a section, with consistent spacing. */
export function SectionBody({ children }: { children: ReactNode }) {
  return <Box sx={{ p: { xs: 4, sm: 6 }, pt: { xs: 4, sm: 5 } }}>{children}</Box>;
}

/** The footer of a section with a form: a note on the left, buttons on the right. */
export function SectionFooter({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'flex-end',
        gap: 3,
        px: { xs: 4, sm: 6 },
        py: 3,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      {note && (
        <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 240px' }}>
          {note}
        </Typography>
      )}
      {children}
    </Box>
  );
}
