// The entry of every room. Light on purpose: no MUI and no react-admin is imported from here, only what visitors need.
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router-dom";
import { makeQueryClient } from "./api/queries";
import "./design/scheme";
import "./design/tokens.css";
import { ToastRoot } from "./design/toasts";
import { routes } from "./routes";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={makeQueryClient()}>
      <ToastRoot>
        <RouterProvider router={createBrowserRouter(routes)} />
      </ToastRoot>
    </QueryClientProvider>
  </StrictMode>,
);
