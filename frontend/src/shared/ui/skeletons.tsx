import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import CardContent from '@mui/material/CardContent';
import Skeleton from '@mui/material/Skeleton';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Announces to screen readers that content is loading. */
export function LoadingRegion({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Box aria-busy="true">
      <Box component="span" className="z-visually-hidden">
        {t('loading')}
      </Box>
      <Box aria-hidden="true">{children}</Box>
    </Box>
  );
}

/** Placeholder for a line of text of about this width. */
export function TextSkeleton({ width = '60%' }: { width?: number | string }) {
  return <Skeleton variant="text" width={width} />;
}

/** Placeholder rows of a list or table, 44 px each like real ones. */
export function RowsSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <LoadingRegion>
      {range(rows).map((row) => (
        <Box key={row} sx={{ display: 'flex', alignItems: 'center', gap: 3, height: 44 }}>
          <Skeleton variant="rounded" width={20} height={20} />
          <Skeleton variant="text" width={`${48 - (row % 3) * 8}%`} />
        </Box>
      ))}
    </LoadingRegion>
  );
}

/** Placeholder cards, laid out like `CardGrid`. */
export function CardsSkeleton({ cards = 3 }: { cards?: number }) {
  return (
    <LoadingRegion>
      <CardGrid>
        {range(cards).map((card) => (
          <Card key={card}>
            <CardContent>
              <Skeleton variant="text" width="55%" />
              <Skeleton variant="text" width="85%" />
              <Skeleton variant="text" width="40%" />
            </CardContent>
          </Card>
        ))}
      </CardGrid>
    </LoadingRegion>
  );
}

/** As many columns of cards as fit, one on phones. */
export function CardGrid({ children, minWidth = 260 }: { children: ReactNode; minWidth?: number }) {
  return (
    <Box
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: `repeat(auto-fill, minmax(min(${minWidth}px, 100%), 1fr))` }}
    >
      {children}
    </Box>
  );
}
