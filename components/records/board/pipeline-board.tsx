"use client";

import { Group } from "@mantine/core";
import { useRef, useState } from "react";

import classes from "@/components/records/board/board.module.css";
import { type Card, STAGES, usePipeline } from "@/components/records/board/board-queries";
import { ListOrBoard } from "@/components/records/board/list-or-board";
import { StageColumn } from "@/components/records/board/stage-column";
import { type Move, useMove, useMoving } from "@/components/records/board/use-move";
import { titleOf } from "@/components/records/record";
import { useScrollMemory } from "@/components/records/use-scroll-memory";
import { Announcement } from "@/components/ui/feedback/announcement";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { Page } from "@/components/ui/layout/page";
import { inWords } from "@/components/ui/text/format";
import { LinkButton } from "@/components/ui/text/links";

/** The opportunities by stage, which change their stage by being moved. */
export function PipelineBoard() {
  const sums = usePipeline();
  const move = useMove();
  const moving = useMoving();
  const [dragged, setDragged] = useState<Card | null>(null);
  const [movedByMenu, setMovedByMenu] = useState<string | null>(null);
  const board = useRef<HTMLElement>(null);
  useScrollMemory(board, "opportunities", "board");
  const start = (next: Move, by: "menu" | "drag") => {
    setMovedByMenu(by === "menu" ? next.card.id : null);
    setDragged(null);
    move.mutate(next);
  };
  return (
    <Page
      title="Pipeline"
      isWide
      actions={
        <Group gap="xs">
          <ListOrBoard shown="board" />
          <LinkButton href="/opportunities/new">New opportunity</LinkButton>
        </Group>
      }
    >
      {sums.isError && <ProblemAlert error={sums.error} onRetry={() => void sums.refetch()} />}
      <section ref={board} className={classes.board} aria-label="Stages">
        {STAGES.map((stage) => (
          <StageColumn
            key={stage}
            stage={stage}
            sums={sums.data && (sums.data.get(stage) ?? null)}
            dragged={dragged}
            movedByMenu={movedByMenu}
            moving={moving}
            onDrag={setDragged}
            onMove={start}
          />
        ))}
      </section>
      <Announcement>
        {move.isSuccess && `${titleOf("opportunities", move.variables.card)} is now in ${inWords(move.variables.to)}.`}
      </Announcement>
    </Page>
  );
}
