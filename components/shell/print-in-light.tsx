"use client";

import { useEffect } from "react";

const SCHEME = "data-mantine-color-scheme";

/** Paper is white: a page in dark colors is printed in light ones. */
export function PrintInLight() {
  useEffect(() => {
    const root = document.documentElement;
    let before: string | null = null;
    const toLight = () => {
      before = root.getAttribute(SCHEME);
      root.setAttribute(SCHEME, "light");
    };
    const back = () => {
      if (before) root.setAttribute(SCHEME, before);
    };
    window.addEventListener("beforeprint", toLight);
    window.addEventListener("afterprint", back);
    return () => {
      window.removeEventListener("beforeprint", toLight);
      window.removeEventListener("afterprint", back);
    };
  }, []);
  return null;
}
