/** Home: ask for something, see what needs me, who works on what, and what came out of it. */
import { Grid, Stack } from '@mantine/core';
import { Page } from '../../parts/Page';
import { Greeting } from './Greeting';
import { LastResults } from './LastResults';
import { NeedsYou } from './NeedsYou';
import { RightNow } from './RightNow';
import { StartRequest } from './StartRequest';
import { Today } from './Today';

export function HomePage() {
  return (
    <Page>
      <Greeting />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            <StartRequest />
            <NeedsYou />
            <LastResults />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="lg">
            <RightNow />
            <Today />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
